import { defineScenario, refused } from "../../scenario.mts";

/** A rate limit of one request in a long while. */
export const sysQuota = defineScenario({
  topic: "sys-quota",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [{ request: "POST sys/auth/jwt", body: { type: "jwt" } }],
  steps: [
    {
      title: "set the limit",
      request: "POST sys/quotas/rate-limit/one",
      body: { path: "auth/jwt", rate: 1, interval: "1h" },
      outcome: "ok",
    },
    { title: "use the limit up", request: "GET auth/jwt/role/ci", outcome: "absent" },
    {
      title: "read a role beyond the limit",
      request: "GET auth/jwt/role/ci",
      outcome: refused(/429 .*rate limit quota exceeded.*A rate limit quota of the server refuses more requests now/),
    },
    {
      title: "write a role beyond the limit",
      request: "POST auth/jwt/role/ci",
      body: { user_claim: "sub" },
      outcome: refused(/429 .*rate limit quota exceeded/),
    },
    { title: "ask elsewhere", request: "GET sys/auth/jwt", outcome: "ok" },
  ],
});
