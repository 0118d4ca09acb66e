import { defineScenario, refused, step } from "../../scenario.mts";

const sealed = refused(/503 Vault is sealed .*Unseal the server and run again\./);

/** A sealed server answers everything alike, token or not, but still says what it is. */
export const sysSealed = defineScenario({
  topic: "sys-sealed",
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST auth/jwt/role/ci", body: { role_type: "jwt", user_claim: "sub", bound_subject: "x" } },
    "seal",
  ],
  steps: [
    step("health", "GET sys/health", refused(/^503 \(GET sys\/health\)/), { as: "nobody" }),
    step(
      "health as the provider asks for it",
      "GET sys/health?standbyok=true&perfstandbyok=true",
      refused(/^503 \(GET sys\/health\)/),
      { as: "nobody" },
    ),
    step("health with a status of one's own", "GET sys/health?sealedcode=200", "document"),
    step("seal status", "GET sys/seal-status", "document", { as: "nobody" }),
    step("initialised", "GET sys/init", "document", { as: "nobody" }),
    step("leader", "GET sys/leader", "document", { as: "nobody" }),
    // @covers jwt: Errors > status codes and bodies
    step("read a role", "GET auth/jwt/role/ci", sealed),
    step("read a role without a token", "GET auth/jwt/role/ci", sealed, { as: "nobody" }),
    step("read a role with an invalid token", "GET auth/jwt/role/ci", sealed, { as: "stranger" }),
    step("read what was never there", "GET cloud/roles/none", sealed),
    step("write a role", "POST auth/jwt/role/ci", sealed, { body: { user_claim: "sub" } }),
    step("delete a role", "DELETE auth/jwt/role/ci", sealed),
    step("list roles", "GET auth/jwt/role?list=true", sealed),
    step("list mounts", "GET sys/mounts", sealed),
    step("enable a mount", "POST sys/mounts/cloud", sealed, { body: { type: "aws" } }),
    step("look up the own token", "GET auth/token/lookup-self", sealed),
    step("log in", "POST auth/jwt/login", sealed, { body: { role: "ci", jwt: "x" }, as: "nobody" }),
    step("write malformed JSON", "POST auth/jwt/role/ci", refused(/^500 invalid character|^400 error parsing JSON/), {
      body: "{bad",
    }),
  ],
});
