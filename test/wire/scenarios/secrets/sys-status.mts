import { defineScenario, refused, step } from "../../scenario.mts";

/** What a server says about itself, to anybody. */
export const sysStatus = defineScenario({
  topic: "sys-status",
  steps: [
    step("health", "GET sys/health", "document", { as: "nobody" }),
    // @covers beyond: Endpoints > GET sys/health
    step("health as the provider asks for it", "GET sys/health?standbyok=true&perfstandbyok=true", "document", {
      as: "nobody",
    }),
    step("health with an invalid token", "GET sys/health", "document", { as: "stranger" }),
    step("health with a status of one's own", "GET sys/health?activecode=299", "document"),
    step("health with a status that is none", "GET sys/health?activecode=x", refused(/^400 \(GET/)),
    step("health with a flag that is none", "GET sys/health?standbyok=maybe", refused(/^400 \(GET/)),
    step(
      "health with the status of a standby for disasters",
      "GET sys/health?activecode=472",
      refused(/^472 \(GET sys\/health\)/),
    ),
    step(
      "health with the status of a standby for reads",
      "GET sys/health?activecode=473",
      refused(/^473 \(GET sys\/health\)/),
    ),
    step("health by HEAD", "HEAD sys/health", "unasked", { as: "nobody" }),
    step("health by POST", "POST sys/health", refused(/^405 \(POST/), { body: {} }),
    // @covers beyond: Endpoints > GET sys/seal-status
    step("seal status", "GET sys/seal-status", "document", { as: "nobody" }),
    step("initialised", "GET sys/init", "document", { as: "nobody" }),
    step("leader", "GET sys/leader", "document", { as: "nobody" }),
  ],
});
