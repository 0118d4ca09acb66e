import { defineScenario, refused, step } from "../../scenario.mts";
import { cloudRoot as root } from "./cloud-root.mts";

const arn = "arn:aws:iam::123456789012:role/a";

/** Credentials from dynamic roles. */
export const cloudCredentials = defineScenario({
  topic: "cloud-credentials",
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
    step("of a role that is not there", "GET cloud/creds/none", refused(/400 Role .?"none.?" not found/)),
    // @covers cloud: Rules of generation > 2: the role exists
    step("by sts of a role that is not there", "POST cloud/sts/none", refused(/400 Role .?"none.?" not found/), {
      body: {},
    }),
    // @covers cloud: What the service does > four types of credentials
    // @covers cloud: Endpoints > GET {mount}/creds/{name}
    // @covers beyond: Answer with credentials > access_key
    step("of a user", "GET cloud/creds/user", "ok"),
    step("of a role to assume", "GET cloud/creds/assumed?ttl=1h", "ok"),
    // @covers cloud: Endpoints > POST {mount}/sts/{name}
    step("by sts of a role to assume", "POST cloud/sts/assumed", "ok", { body: { ttl: "1h" } }),
    // @covers cloud: Generation parameters > role_arn
    step(
      "of one of many roles, not named",
      "GET cloud/creds/many",
      refused(/400 did not supply a role_arn parameter and unable to determine one/),
    ),
    // @covers cloud: Endpoints > bodies of answers
    // @covers cloud: Generation parameters > role_arn
    step(
      "of a role that is not allowed",
      "GET cloud/creds/assumed?role_arn=arn:x",
      refused(/400 role_arn "arn:x" not in allowed role arns/),
    ),
    // @covers cloud: Role > policy_arns
    step(
      "of a federation without a policy",
      "GET cloud/creds/federated",
      refused(/400 must specify at least one of policy_arns or policy_document/),
    ),
    // @covers cloud: Generation parameters > ttl
    step(
      "for a time that is none",
      "GET cloud/creds/assumed?ttl=abc",
      refused(/400 Field validation failed: error converting input .*for field "ttl"/),
    ),
    step("delete", "DELETE cloud/creds/user", refused(/405 unsupported operation/)),
  ],
});
