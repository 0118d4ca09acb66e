import { defineScenario, refused } from "../../scenario.mts";

/** A mount that moves, with what lives there. */
export const sysRemount = defineScenario({
  topic: "sys-remount",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
    { request: "POST sys/auth/second", body: { type: "jwt" } },
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST auth/jwt/role/ci", body: { role_type: "jwt", user_claim: "sub", bound_subject: "x" } },
  ],
  steps: [
    {
      title: "move",
      request: "POST sys/remount",
      body: { from: "auth/jwt", to: "auth/team" },
      keep: { move: "/migration_id" },
      outcome: "ok",
    },
    { title: "see that it is done", request: "GET sys/remount/status/{move}", until: /success/, outcome: "ok" },
    { title: "read where it is now", request: "GET auth/team/role/ci", outcome: { found: { bound_subject: "x" } } },
    { title: "the methods as they are now", request: "GET sys/auth", outcome: "ok" },
    { title: "read where it was", request: "GET auth/jwt/role/ci", outcome: "absent" },
    {
      title: "move what is not there",
      request: "POST sys/remount",
      body: { from: "auth/jwt", to: "auth/other" },
      outcome: refused(/400 no matching mount at "auth\/jwt\/"/),
    },
    {
      title: "move to a place in use",
      request: "POST sys/remount",
      body: { from: "auth/team", to: "auth/second" },
      outcome: refused(/400 path already in use at "auth\/second\/"/),
    },
    {
      title: "move a method among the engines",
      request: "POST sys/remount",
      body: { from: "auth/team", to: "team" },
      outcome: refused(/400 cannot remount auth mount to non-auth mount/),
    },
    {
      title: "move over the tokens",
      request: "POST sys/remount",
      body: { from: "auth/team", to: "auth/token" },
      outcome: refused(/400 cannot remount to destination "auth\/token\/"/),
    },
    {
      title: "move below the tokens",
      request: "POST sys/remount",
      body: { from: "auth/team", to: "auth/token/a" },
      outcome: refused(/400 cannot remount to destination "auth\/token\/a\/"/),
    },
    {
      title: "move the tokens",
      request: "POST sys/remount",
      body: { from: "auth/token", to: "auth/a" },
      outcome: refused(/400 cannot remount "auth\/token\/"/),
    },
    {
      title: "move an engine over sys",
      request: "POST sys/remount",
      body: { from: "cloud", to: "sys" },
      outcome: refused(/400 cannot remount to destination sys\//),
    },
    {
      title: "move an engine to the audit devices",
      request: "POST sys/remount",
      body: { from: "cloud", to: "audit" },
      outcome: refused(/400 cannot remount to destination audit\//),
    },
    {
      title: "move an engine among the methods",
      request: "POST sys/remount",
      body: { from: "cloud", to: "auth/cloud" },
      outcome: refused(/400 cannot remount to destination auth\/cloud\//),
    },
    {
      title: "move below a place in use",
      request: "POST sys/remount",
      body: { from: "auth/team", to: "auth/second/b" },
      outcome: refused(/400 path already in use at "auth\/second\/"/),
    },
    {
      title: "move to itself",
      request: "POST sys/remount",
      body: { from: "auth/team", to: "auth/team" },
      outcome: refused(/400 path already in use at "auth\/team\/"/),
    },
    {
      title: "move nothing",
      request: "POST sys/remount",
      body: { from: "", to: "x" },
      outcome: refused(/400 both 'from' and 'to' path must be specified as a string/),
    },
    { title: "ask about an unknown move", request: "GET sys/remount/status/none", outcome: "absent" },
  ],
});
