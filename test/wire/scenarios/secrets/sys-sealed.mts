import { defineScenario, refused } from "../../scenario.mts";

const sealed = refused(/503 Vault is sealed .*Unseal the server and run again\./);

/** A sealed server answers everything alike, token or not, but still says what it is. */
export const sysSealed = defineScenario({
  topic: "sys-sealed",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST auth/jwt/role/ci", body: { role_type: "jwt", user_claim: "sub", bound_subject: "x" } },
    "seal",
  ],
  steps: [
    { title: "health", request: "GET sys/health", as: "nobody", outcome: refused(/^503 \(GET sys\/health\)/) },
    {
      title: "health as the provider asks for it",
      request: "GET sys/health?standbyok=true&perfstandbyok=true",
      as: "nobody",
      outcome: refused(/^503 \(GET sys\/health\)/),
    },
    { title: "health with a status of one's own", request: "GET sys/health?sealedcode=200", outcome: "document" },
    { title: "seal status", request: "GET sys/seal-status", as: "nobody", outcome: "document" },
    { title: "initialised", request: "GET sys/init", as: "nobody", outcome: "document" },
    { title: "leader", request: "GET sys/leader", as: "nobody", outcome: "document" },
    // @covers jwt: Errors > status codes and bodies
    { title: "read a role", request: "GET auth/jwt/role/ci", outcome: sealed },
    { title: "read a role without a token", request: "GET auth/jwt/role/ci", as: "nobody", outcome: sealed },
    { title: "read a role with an invalid token", request: "GET auth/jwt/role/ci", as: "stranger", outcome: sealed },
    { title: "read what was never there", request: "GET cloud/roles/none", outcome: sealed },
    { title: "write a role", request: "POST auth/jwt/role/ci", body: { user_claim: "sub" }, outcome: sealed },
    { title: "delete a role", request: "DELETE auth/jwt/role/ci", outcome: sealed },
    { title: "list roles", request: "GET auth/jwt/role?list=true", outcome: sealed },
    { title: "list mounts", request: "GET sys/mounts", outcome: sealed },
    { title: "enable a mount", request: "POST sys/mounts/cloud", body: { type: "aws" }, outcome: sealed },
    { title: "look up the own token", request: "GET auth/token/lookup-self", outcome: sealed },
    { title: "log in", request: "POST auth/jwt/login", body: { role: "ci", jwt: "x" }, as: "nobody", outcome: sealed },
    {
      title: "write malformed JSON",
      request: "POST auth/jwt/role/ci",
      body: "{bad",
      outcome: refused(/^500 invalid character|^400 error parsing JSON/),
    },
  ],
});
