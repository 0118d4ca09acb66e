import { defineScenario, refused, type Step, step } from "../../scenario.mts";

/** Dynamic roles that the cloud engine refuses, and how it says so. */
export const cloudRoleRefused = defineScenario({
  topic: "cloud-role-refused",
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [...refusals(), step("none was stored", "GET cloud/roles?list=true", "absent")],
});

function refusals(): Step[] {
  const roleArn = "arn:aws:iam::123456789012:role/a";
  const policyArn = "arn:aws:iam::aws:policy/ReadOnlyAccess";
  const user = { credential_type: "iam_user" };
  const field = (name: string) =>
    new RegExp(`400 Field validation failed: error converting input .*for field "${name}"`);
  const table: readonly (readonly [title: string, body: unknown, says: RegExp])[] = [
    // @covers cloud: Role > credential_type
    ["no type", {}, /400 error\(s\) validating supplied role data: .*did not supply credential_type/],
    ["an empty type", { credential_type: "" }, /400 .*unrecognized credential type: /],
    ["an unknown type", { credential_type: "root" }, /400 .*unrecognized credential type: root/],
    // @covers cloud: Role > credential_type
    [
      "two types",
      { credential_type: "iam_user,assumed_role" },
      /400 .*unrecognized credential type: iam_user,assumed_role/,
    ],
    // @covers cloud: Role > default_sts_ttl
    ["a lifetime for a user", { ...user, default_sts_ttl: 60 }, /400 .*default_sts_ttl parameter only valid for/],
    // @covers cloud: Role > max_sts_ttl
    ["a maximal lifetime for a user", { ...user, max_sts_ttl: 60 }, /400 .*max_sts_ttl parameter only valid for/],
    // @covers cloud: Role > max_sts_ttl
    [
      "a lifetime over its maximum",
      { credential_type: "assumed_role", default_sts_ttl: 120, max_sts_ttl: 60 },
      /400 .*value must be less than or equal to/,
    ],
    // @covers cloud: Role > user_path
    [
      "a user path for a role",
      { credential_type: "assumed_role", user_path: "/a/" },
      /400 .*user_path parameter only valid for iam_user credential type/,
    ],
    // @covers cloud: Role > user_path
    ["a user path without slashes", { ...user, user_path: "a" }, /400 .*the specified value for user_path is invalid/i],
    // @covers cloud: Role > permissions_boundary_arn
    [
      "a boundary for a role",
      { credential_type: "assumed_role", permissions_boundary_arn: policyArn },
      /400 .*cannot supply permissions_boundary_arn when credential_type isn't iam_user/,
    ],
    [
      "a boundary that is no ARN",
      { ...user, permissions_boundary_arn: "x" },
      /400 .*invalid permissions_boundary_arn parameter: /,
    ],
    [
      "a boundary of too few parts",
      { ...user, permissions_boundary_arn: "arn:aws" },
      /400 .*invalid permissions_boundary_arn parameter: /,
    ],
    [
      "a boundary of another service",
      { ...user, permissions_boundary_arn: "arn:aws:s3:::a" },
      /400 .*expected a service of iam but got s3/,
    ],
    // @covers cloud: Role > permissions_boundary_arn
    [
      "a boundary that is a role",
      { ...user, permissions_boundary_arn: roleArn },
      /400 .*expected a resource type of policy but got role/,
    ],
    // @covers cloud: Role > policy_arns
    [
      "a policy for a session",
      { credential_type: "session_token", policy_arns: [policyArn] },
      /400 .*cannot supply a policy or role when using credential_type session_token/,
    ],
    // @covers cloud: Role > role_arns
    [
      "roles for a user",
      { ...user, role_arns: [roleArn] },
      /400 .*cannot supply role_arns when credential_type isn't assumed_role/,
    ],
    // @covers cloud: Role > session_tags
    [
      "session tags for a user",
      { ...user, session_tags: { a: "b" } },
      /400 .*cannot supply session_tags when credential_type isn't assumed_role/,
    ],
    // @covers cloud: Role > external_id
    [
      "an external id for a user",
      { ...user, external_id: "a" },
      /400 .*cannot supply external_id when credential_type isn't assumed_role/,
    ],
    // @covers cloud: Role > permissions_boundary_arn
    [
      "everything wrong at once",
      {
        credential_type: "session_token",
        user_path: "a",
        role_arns: [roleArn],
        session_tags: { a: "b" },
        external_id: "c",
        policy_arns: [policyArn],
      },
      /400 .*\d errors occurred/,
    ],
    // @covers cloud: Role > policy_document
    ["a document that is none", { ...user, policy_document: "x" }, /400 cannot parse policy document: "x"/],
    ["a document that is an object", { ...user, policy_document: { Version: "2012-10-17" } }, field("policy_document")],
    // @covers cloud: Role > old and new do not mix
    [
      "old beside new",
      { ...user, policy: "{}" },
      /400 cannot supply deprecated role or policy parameters with an explicit credential_type/,
    ],
    // @covers cloud: Role > old and new do not mix
    [
      "old beside roles",
      { arn: policyArn, role_arns: [roleArn] },
      /400 cannot supply deprecated role or policy parameters with role_arns/,
    ],
    // @covers cloud: Role > legacy arn
    ["old that is neither", { policy: "x" }, /400 unable to parse supplied data: "x"/],
    // @covers cloud: Role > legacy arn
    ["both of old", { policy: "{}", arn: policyArn }, /500 only one of policy or arn should be provided/],
    ["tags in tags", { ...user, iam_tags: { a: {} } }, field("iam_tags")],
    // @covers cloud: Role > iam_tags
    ["tags without an equals sign", { ...user, iam_tags: ["a"] }, field("iam_tags")],
    ["groups in groups", { ...user, iam_groups: [["a"]] }, field("iam_groups")],
    ["a lifetime that is none", { credential_type: "assumed_role", max_sts_ttl: "abc" }, field("max_sts_ttl")],
    ["a type that is a list", { credential_type: ["iam_user"] }, field("credential_type")],
  ];
  return table.map(([title, body, says]) => ({
    title,
    request: "POST cloud/roles/refused",
    body,
    outcome: refused(says),
  }));
}
