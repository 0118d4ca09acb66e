import { defineScenario, refused } from "../../scenario.mts";

/** What a server says about itself, to anybody. */
export const sysStatus = defineScenario({
  topic: "sys-status",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  steps: [
    { title: "health", request: "GET sys/health", as: "nobody", outcome: "document" },
    // @covers beyond: Endpoints > GET sys/health
    {
      title: "health as the provider asks for it",
      request: "GET sys/health?standbyok=true&perfstandbyok=true",
      as: "nobody",
      outcome: "document",
    },
    { title: "health with an invalid token", request: "GET sys/health", as: "stranger", outcome: "document" },
    { title: "health with a status of one's own", request: "GET sys/health?activecode=299", outcome: "document" },
    {
      title: "health with a status that is none",
      request: "GET sys/health?activecode=x",
      outcome: refused(/^400 \(GET/),
    },
    {
      title: "health with a flag that is none",
      request: "GET sys/health?standbyok=maybe",
      outcome: refused(/^400 \(GET/),
    },
    {
      title: "health with the status of a standby for disasters",
      request: "GET sys/health?activecode=472",
      outcome: refused(/^472 \(GET sys\/health\)/),
    },
    {
      title: "health with the status of a standby for reads",
      request: "GET sys/health?activecode=473",
      outcome: refused(/^473 \(GET sys\/health\)/),
    },
    { title: "health by HEAD", request: "HEAD sys/health", as: "nobody", outcome: "unasked" },
    { title: "health by POST", request: "POST sys/health", body: {}, outcome: refused(/^405 \(POST/) },
    // @covers beyond: Endpoints > GET sys/seal-status
    { title: "seal status", request: "GET sys/seal-status", as: "nobody", outcome: "document" },
    { title: "initialised", request: "GET sys/init", as: "nobody", outcome: "document" },
    { title: "leader", request: "GET sys/leader", as: "nobody", outcome: "document" },
  ],
});
