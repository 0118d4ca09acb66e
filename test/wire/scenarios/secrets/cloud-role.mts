import { defineScenario, refused } from "../../scenario.mts";

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
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [
    // @covers cloud: Endpoints > GET {mount}/roles?list=true
    { title: "list none", request: "GET cloud/roles?list=true", outcome: "absent" },
    // @covers cloud: Endpoints > GET {mount}/roles/{name}
    // @covers cloud: Errors > role that is not there
    { title: "read one that is not there", request: "GET cloud/roles/deploy", outcome: "absent" },
    // @covers cloud: Endpoints > DELETE {mount}/roles/{name}
    // @covers cloud: Errors > role that is not there
    { title: "delete one that is not there", request: "DELETE cloud/roles/deploy", outcome: "ok" },
    {
      title: "create with the least",
      request: "POST cloud/roles/deploy",
      body: { credential_type: "assumed_role" },
      outcome: "ok",
    },
    // @covers cloud: Endpoints > GET {mount}/roles/{name}
    {
      title: "read the least",
      request: "GET cloud/roles/deploy",
      outcome: { found: { credential_type: "assumed_role", role_arns: null, user_path: "", default_sts_ttl: 0 } },
    },
    { title: "create a user with everything", request: "POST cloud/roles/User", body: user, outcome: "ok" },
    // @covers cloud: Endpoints > POST {mount}/roles/{name}
    {
      title: "read a user with everything",
      request: "GET cloud/roles/User",
      outcome: { found: { iam_tags: { team: "site", cost: "5" }, user_path: "/people/" } },
    },
    // @covers cloud: Role > name
    { title: "read by the name in small letters", request: "GET cloud/roles/user", outcome: "absent" },
    {
      title: "create a role to assume with everything",
      request: "POST cloud/roles/assumed",
      body: assumed,
      outcome: "ok",
    },
    { title: "read a role to assume with everything", request: "GET cloud/roles/assumed", outcome: "ok" },
    {
      title: "reset a role",
      request: "POST cloud/roles/assumed",
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
      outcome: "ok",
    },
    // @covers cloud: Endpoints > POST {mount}/roles/{name}
    { title: "read a role that was reset", request: "GET cloud/roles/assumed", outcome: "ok" },
    {
      title: "change the type",
      request: "POST cloud/roles/assumed",
      body: { credential_type: "federation_token", policy_arns: policyArn },
      outcome: "ok",
    },
    { title: "update one field", request: "POST cloud/roles/User", body: { iam_groups: ["c"] }, outcome: "ok" },
    // @covers cloud: Endpoints > POST {mount}/roles/{name}
    { title: "read the updated field", request: "GET cloud/roles/User", outcome: "ok" },
    {
      title: "create a session",
      request: "POST cloud/roles/session@a",
      body: { credential_type: "session_token", default_sts_ttl: "15m" },
      outcome: "ok",
    },
    { title: "read a session", request: "GET cloud/roles/session@a", outcome: "ok" },
    // @covers cloud: Role > legacy policy
    {
      title: "create from a document of old",
      request: "POST cloud/roles/old",
      body: { policy: document },
      outcome: "ok",
    },
    // @covers cloud: Role > legacy policy
    {
      title: "read a document of old",
      request: "GET cloud/roles/old",
      outcome: { found: { credential_type: "iam_user,federation_token" } },
    },
    {
      title: "create from a role of old",
      request: "POST cloud/roles/older",
      body: { arn: "arn:aws:iam::123456789012:role/a" },
      outcome: "ok",
    },
    // @covers cloud: Role > legacy arn
    { title: "read a role of old", request: "GET cloud/roles/older", outcome: "ok" },
    // @covers cloud: Role > legacy arn
    {
      title: "create from a policy of old",
      request: "POST cloud/roles/oldest",
      body: { arn: policyArn },
      outcome: "ok",
    },
    {
      title: "create with unknown members",
      request: "POST cloud/roles/odd",
      body: { credential_type: "iam_user", nonsense: 1, name: "other" },
      outcome: "ok",
    },
    {
      title: "write nulls",
      request: "POST cloud/roles/odd",
      body: { policy_arns: null, iam_tags: null, default_sts_ttl: null, user_path: null },
      outcome: "ok",
    },
    { title: "read nulls", request: "GET cloud/roles/odd", outcome: "ok" },
    // @covers cloud: Endpoints > GET {mount}/roles?list=true
    { title: "list by GET", request: "GET cloud/roles?list=true", outcome: "ok" },
    // @covers cloud: Endpoints > GET {mount}/roles?list=true
    { title: "list by LIST", request: "LIST cloud/roles", outcome: "unasked" },
    { title: "read the collection", request: "GET cloud/roles", outcome: refused(/405 unsupported operation/) },
    {
      title: "write the collection",
      request: "POST cloud/roles",
      body: {},
      outcome: refused(/405 unsupported operation/),
    },
    // @covers cloud: Endpoints > DELETE {mount}/roles/{name}
    { title: "delete", request: "DELETE cloud/roles/deploy", outcome: "ok" },
    { title: "read what was deleted", request: "GET cloud/roles/deploy", outcome: "absent" },
    { title: "take the engine away", request: "DELETE sys/mounts/cloud", outcome: "ok" },
    { title: "the engines that are left", request: "GET sys/mounts", outcome: "ok" },
    { title: "read of an engine that was taken away", request: "GET cloud/roles/User", outcome: "absent" },
    { title: "delete of an engine that was taken away", request: "DELETE cloud/roles/User", outcome: "absent" },
    {
      title: "write to an engine that was taken away",
      request: "POST cloud/roles/User",
      body: user,
      outcome: refused(/404 no handler for route/),
    },
  ],
});
