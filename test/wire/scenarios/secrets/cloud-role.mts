import { defineScenario, refused, step } from "../../scenario.mts";

const document =
  '{\n  "Version": "2012-10-17",\n  "Statement": [{ "Effect": "Allow", "Action": "s3:*", "Resource": "*" }]\n}';
const policyArn = "arn:aws:iam::aws:policy/ReadOnlyAccess";

const user = {
  credential_type: "iam_user",
  policy_arns: [policyArn, policyArn],
  policy_document: document,
  iam_groups: ["b", "a"],
  iam_tags: { team: "site", cost: 5 },
  user_path: "/people/",
  permissions_boundary_arn: "arn:aws:iam::123456789012:policy/boundary",
  mfa_serial_number: "arn:aws:iam::123456789012:mfa/a",
};

const assumed = {
  credential_type: "assumed_role",
  role_arns: ["arn:aws:iam::123456789012:role/a", "arn:aws:iam::123456789012:role/b"],
  default_sts_ttl: "30m",
  max_sts_ttl: 7200,
  session_tags: ["a=b"],
  external_id: "outside",
};

/** Dynamic roles of the cloud engine through their life. */
export const cloudRole = defineScenario({
  topic: "cloud-role",
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [
    // @covers cloud: Endpoints > GET {mount}/roles?list=true
    step("list none", "GET cloud/roles?list=true", "absent"),
    // @covers cloud: Endpoints > GET {mount}/roles/{name}
    // @covers cloud: Errors > role that is not there
    step("read one that is not there", "GET cloud/roles/deploy", "absent"),
    // @covers cloud: Endpoints > DELETE {mount}/roles/{name}
    // @covers cloud: Errors > role that is not there
    step("delete one that is not there", "DELETE cloud/roles/deploy", "ok"),
    step("create with the least", "POST cloud/roles/deploy", "ok", { body: { credential_type: "assumed_role" } }),
    // @covers cloud: Endpoints > GET {mount}/roles/{name}
    step("read the least", "GET cloud/roles/deploy", {
      found: { credential_type: "assumed_role", role_arns: null, user_path: "", default_sts_ttl: 0 },
    }),
    step("create a user with everything", "POST cloud/roles/User", "ok", { body: user }),
    // @covers cloud: Endpoints > POST {mount}/roles/{name}
    step("read a user with everything", "GET cloud/roles/User", {
      found: { iam_tags: { team: "site", cost: "5" }, user_path: "/people/" },
    }),
    // @covers cloud: Role > name
    step("read by the name in small letters", "GET cloud/roles/user", "absent"),
    step("create a role to assume with everything", "POST cloud/roles/assumed", "ok", { body: assumed }),
    step("read a role to assume with everything", "GET cloud/roles/assumed", "ok"),
    step("reset a role", "POST cloud/roles/assumed", "ok", {
      body: {
        credential_type: "assumed_role",
        role_arns: [],
        policy_arns: [],
        policy_document: "",
        iam_groups: [],
        iam_tags: {},
        default_sts_ttl: 0,
        max_sts_ttl: 0,
        session_tags: {},
        external_id: "",
        user_path: "",
        permissions_boundary_arn: "",
        mfa_serial_number: "",
      },
    }),
    // @covers cloud: Endpoints > POST {mount}/roles/{name}
    step("read a role that was reset", "GET cloud/roles/assumed", "ok"),
    step("change the type", "POST cloud/roles/assumed", "ok", {
      body: { credential_type: "federation_token", policy_arns: policyArn },
    }),
    step("update one field", "POST cloud/roles/User", "ok", { body: { iam_groups: ["c"] } }),
    // @covers cloud: Endpoints > POST {mount}/roles/{name}
    step("read the updated field", "GET cloud/roles/User", "ok"),
    step("create a session", "POST cloud/roles/session@a", "ok", {
      body: { credential_type: "session_token", default_sts_ttl: "15m" },
    }),
    step("read a session", "GET cloud/roles/session@a", "ok"),
    // @covers cloud: Role > legacy policy
    step("create from a document of old", "POST cloud/roles/old", "ok", { body: { policy: document } }),
    // @covers cloud: Role > legacy policy
    step("read a document of old", "GET cloud/roles/old", { found: { credential_type: "iam_user,federation_token" } }),
    step("create from a role of old", "POST cloud/roles/older", "ok", {
      body: { arn: "arn:aws:iam::123456789012:role/a" },
    }),
    // @covers cloud: Role > legacy arn
    step("read a role of old", "GET cloud/roles/older", "ok"),
    // @covers cloud: Role > legacy arn
    step("create from a policy of old", "POST cloud/roles/oldest", "ok", { body: { arn: policyArn } }),
    step("create with unknown members", "POST cloud/roles/odd", "ok", {
      body: { credential_type: "iam_user", nonsense: 1, name: "other" },
    }),
    step("write nulls", "POST cloud/roles/odd", "ok", {
      body: { policy_arns: null, iam_tags: null, default_sts_ttl: null, user_path: null },
    }),
    step("read nulls", "GET cloud/roles/odd", "ok"),
    // @covers cloud: Endpoints > GET {mount}/roles?list=true
    step("list by GET", "GET cloud/roles?list=true", "ok"),
    // @covers cloud: Endpoints > GET {mount}/roles?list=true
    step("list by LIST", "LIST cloud/roles", "unasked"),
    step("read the collection", "GET cloud/roles", refused(/405 unsupported operation/)),
    step("write the collection", "POST cloud/roles", refused(/405 unsupported operation/), { body: {} }),
    // @covers cloud: Endpoints > DELETE {mount}/roles/{name}
    step("delete", "DELETE cloud/roles/deploy", "ok"),
    step("read what was deleted", "GET cloud/roles/deploy", "absent"),
    step("take the engine away", "DELETE sys/mounts/cloud", "ok"),
    step("the engines that are left", "GET sys/mounts", "ok"),
    step("read of an engine that was taken away", "GET cloud/roles/User", "absent"),
    step("delete of an engine that was taken away", "DELETE cloud/roles/User", "absent"),
    step("write to an engine that was taken away", "POST cloud/roles/User", refused(/404 no handler for route/), {
      body: user,
    }),
  ],
});
