import { expect, it } from "vitest";
import { jwtLogin } from "../../../provider/functions/jwt/login.ts";
import { engineWithLog } from "../../support/contract-host-engine.ts";
import { serve } from "../../support/loopback-server.ts";

/** What Vault answers where a login is only half of it (reference secrets-server 3.2); seen in test/live/functions.test.ts. */
function halfALogin(mfa_constraints: object) {
  return { auth: { client_token: "", policies: null, mfa_requirement: { mfa_request_id: "id", mfa_constraints } } };
}

it.each([
  [{ staff: { any: [{ type: "totp" }] }, all: { any: [{ type: "okta" }] } }, 'is enforced by "staff", "all", and'],
  [{}, "is enforced, and"],
])("a login that needs a second factor is an error that says so: %j", async (constraints, says) => {
  const { origin } = await serve((_, outgoing) => void outgoing.end(JSON.stringify(halfALogin(constraints))));
  const config = { secrets: JSON.stringify({ address: origin, offline: true, token: "any" }) };
  const login = engineWithLog(config, []).call(jwtLogin, { role: "ci", jwt: "x" });
  await expect(login).rejects.toMatchObject({
    code: "ResponseError",
    message: `calling jwt.login "ci": multi-factor authentication ${says} a program has no second factor: use a mount, role or entity that no login enforcement of MFA applies to (POST auth/jwt/login).`,
  });
});
