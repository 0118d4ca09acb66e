import { defineScenario, refused } from "../../scenario.mts";
import { cloudRoot as root } from "./cloud-root.mts";

const arn = "arn:aws:iam::123456789012:role/a";

/** Credentials from dynamic roles. */
export const cloudCredentials = defineScenario({
  topic: "cloud-credentials",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
    { request: "POST cloud/config/root", body: root },
    { request: "POST cloud/roles/user", body: { credential_type: "iam_user" } },
    { request: "POST cloud/roles/assumed", body: { credential_type: "assumed_role", role_arns: [arn] } },
    { request: "POST cloud/roles/many", body: { credential_type: "assumed_role", role_arns: [arn, `${arn}b`] } },
    { request: "POST cloud/roles/federated", body: { credential_type: "federation_token" } },
    { request: "POST cloud/roles/old", body: { policy: "{}" } },
  ],
  steps: [
    // @covers cloud: Rules of generation > 2: the role exists
    {
      title: "of a role that is not there",
      request: "GET cloud/creds/none",
      outcome: refused(/400 Role .?"none.?" not found/),
    },
    // @covers cloud: Rules of generation > 2: the role exists
    {
      title: "by sts of a role that is not there",
      request: "POST cloud/sts/none",
      body: {},
      outcome: refused(/400 Role .?"none.?" not found/),
    },
    // @covers cloud: What the service does > four types of credentials
    // @covers cloud: Endpoints > GET {mount}/creds/{name}
    // @covers beyond: Answer with credentials > access_key
    { title: "of a user", request: "GET cloud/creds/user", outcome: "ok" },
    { title: "of a role to assume", request: "GET cloud/creds/assumed?ttl=1h", outcome: "ok" },
    // @covers cloud: Endpoints > POST {mount}/sts/{name}
    { title: "by sts of a role to assume", request: "POST cloud/sts/assumed", body: { ttl: "1h" }, outcome: "ok" },
    // @covers cloud: Generation parameters > role_arn
    {
      title: "of one of many roles, not named",
      request: "GET cloud/creds/many",
      outcome: refused(/400 did not supply a role_arn parameter and unable to determine one/),
    },
    // @covers cloud: Endpoints > bodies of answers
    // @covers cloud: Generation parameters > role_arn
    {
      title: "of a role that is not allowed",
      request: "GET cloud/creds/assumed?role_arn=arn:x",
      outcome: refused(/400 role_arn "arn:x" not in allowed role arns/),
    },
    // @covers cloud: Role > policy_arns
    {
      title: "of a federation without a policy",
      request: "GET cloud/creds/federated",
      outcome: refused(/400 must specify at least one of policy_arns or policy_document/),
    },
    // @covers cloud: Generation parameters > ttl
    {
      title: "for a time that is none",
      request: "GET cloud/creds/assumed?ttl=abc",
      outcome: refused(/400 Field validation failed: error converting input .*for field "ttl"/),
    },
    { title: "delete", request: "DELETE cloud/creds/user", outcome: refused(/405 unsupported operation/) },
  ],
});
