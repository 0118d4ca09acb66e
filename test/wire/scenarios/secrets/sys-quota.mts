import { defineScenario, refused, step } from "../../scenario.mts";

/** A rate limit of one request in a long while. */
export const sysQuota = defineScenario({
  topic: "sys-quota",
  before: [{ request: "POST sys/auth/jwt", body: { type: "jwt" } }],
  steps: [
    step("set the limit", "POST sys/quotas/rate-limit/one", "ok", {
      body: { path: "auth/jwt", rate: 1, interval: "1h" },
    }),
    step("use the limit up", "GET auth/jwt/role/ci", "absent"),
    step(
      "read a role beyond the limit",
      "GET auth/jwt/role/ci",
      refused(/429 .*rate limit quota exceeded.*A rate limit quota of the server refuses more requests now/),
    ),
    step("write a role beyond the limit", "POST auth/jwt/role/ci", refused(/429 .*rate limit quota exceeded/), {
      body: { user_claim: "sub" },
    }),
    step("ask elsewhere", "GET sys/auth/jwt", "ok"),
  ],
});
