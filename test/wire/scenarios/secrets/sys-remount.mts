import { defineScenario, refused, step } from "../../scenario.mts";

/** A mount that moves, with what lives there. */
export const sysRemount = defineScenario({
  topic: "sys-remount",
  before: [
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
    { request: "POST sys/auth/second", body: { type: "jwt" } },
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST auth/jwt/role/ci", body: { role_type: "jwt", user_claim: "sub", bound_subject: "x" } },
  ],
  steps: [
    step("move", "POST sys/remount", "ok", {
      body: { from: "auth/jwt", to: "auth/team" },
      keep: { move: "/migration_id" },
    }),
    step("see that it is done", "GET sys/remount/status/{move}", "ok", { until: /success/ }),
    step("read where it is now", "GET auth/team/role/ci", { found: { bound_subject: "x" } }),
    step("the methods as they are now", "GET sys/auth", "ok"),
    step("read where it was", "GET auth/jwt/role/ci", "absent"),
    step("move what is not there", "POST sys/remount", refused(/400 no matching mount at "auth\/jwt\/"/), {
      body: { from: "auth/jwt", to: "auth/other" },
    }),
    step("move to a place in use", "POST sys/remount", refused(/400 path already in use at "auth\/second\/"/), {
      body: { from: "auth/team", to: "auth/second" },
    }),
    step(
      "move a method among the engines",
      "POST sys/remount",
      refused(/400 cannot remount auth mount to non-auth mount/),
      { body: { from: "auth/team", to: "team" } },
    ),
    step("move over the tokens", "POST sys/remount", refused(/400 cannot remount to destination "auth\/token\/"/), {
      body: { from: "auth/team", to: "auth/token" },
    }),
    step("move below the tokens", "POST sys/remount", refused(/400 cannot remount to destination "auth\/token\/a\/"/), {
      body: { from: "auth/team", to: "auth/token/a" },
    }),
    step("move the tokens", "POST sys/remount", refused(/400 cannot remount "auth\/token\/"/), {
      body: { from: "auth/token", to: "auth/a" },
    }),
    step("move an engine over sys", "POST sys/remount", refused(/400 cannot remount to destination sys\//), {
      body: { from: "cloud", to: "sys" },
    }),
    step(
      "move an engine to the audit devices",
      "POST sys/remount",
      refused(/400 cannot remount to destination audit\//),
      { body: { from: "cloud", to: "audit" } },
    ),
    step(
      "move an engine among the methods",
      "POST sys/remount",
      refused(/400 cannot remount to destination auth\/cloud\//),
      { body: { from: "cloud", to: "auth/cloud" } },
    ),
    step("move below a place in use", "POST sys/remount", refused(/400 path already in use at "auth\/second\/"/), {
      body: { from: "auth/team", to: "auth/second/b" },
    }),
    step("move to itself", "POST sys/remount", refused(/400 path already in use at "auth\/team\/"/), {
      body: { from: "auth/team", to: "auth/team" },
    }),
    step("move nothing", "POST sys/remount", refused(/400 both 'from' and 'to' path must be specified as a string/), {
      body: { from: "", to: "x" },
    }),
    step("ask about an unknown move", "GET sys/remount/status/none", "absent"),
  ],
});
