import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { cloudRole } from "../../../provider/resources/cloud/role";
import { expectRefusals } from "./expect-refusals";

const roleArn = "arn:aws:iam::123456789012:role/deploy";
const policyArn = "arn:aws:iam::123456789012:policy/limit";
const document = '{ "Statement": [] }';
const iamUser = "only valid when credentialType is iam_user";
const assumedRole = "only valid when credentialType is assumed_role";
const sts = "only valid when credentialType is assumed_role or federation_token or session_token";
const notSession = "only valid when credentialType is iam_user or assumed_role or federation_token";

// @covers cloud: Role > role_arns
describe("a cloud.Role of assumed roles", () => {
  expectRefusals("cloudRole", 0, {
    accepted: [
      { defaultStsTtl: "15m", maxStsTtl: 3600 },
      { defaultStsTtl: "1h", maxStsTtl: 0 },
      { policyArns: [policyArn], policyDocument: { Statement: [] }, iamGroups: ["ops"] },
      { sessionTags: { team: "a" }, externalId: "x", mfaSerialNumber: "1" },
      { roleArns: ["arn:aws-cn:iam::123456789012:role/a"] },
      { userPath: "", permissionsBoundaryArn: "" },
    ],
    refused: [
      [{ credentialType: "user" }, "credentialType", 'must be one of "iam_user", "assumed_role"'],
      [{ credentialType: "iam_user,assumed_role" }, "credentialType", /must be one of/],
      [{ credentialType: "" }, "credentialType", /must be one of/],
      [{ userPath: "/team/" }, "userPath", iamUser],
      [{ permissionsBoundaryArn: policyArn }, "permissionsBoundaryArn", iamUser],
      [{ defaultStsTtl: "2h", maxStsTtl: "1h" }, "defaultStsTtl", "must not be longer than maxStsTtl"],
      [{ defaultStsTtl: -1 }, "defaultStsTtl", "must not be negative"],
      [{ policyDocument: "{" }, "policyDocument", "is not JSON"],
      [{ policyDocument: '{\n  "Version": "2012-10-17",\n}' }, "policyDocument", "is not JSON at line 3, column 1"],
      [{ policyDocument: " " }, "policyDocument", "is not JSON"],
      [{ policyDocument: 5 }, "policyDocument", "must be JSON text or an object"],
      [{ policyDocument: [] }, "policyDocument", "must be JSON text or an object"],
      [{ sessionTags: { a: 5 } }, "sessionTags.a", "must be a string"],
      [{ sessionTags: ["a=b"] }, "sessionTags", "must be a map of strings"],
      [{ roleArns: roleArn }, "roleArns", "must be a list of strings"],
      [{ roleArns: [""] }, "roleArns[0]", "must not be empty"],
    ],
    advised: [
      [{ roleArns: [] }, "roleArns", /needed to issue credentials/],
      [{ roleArns: [roleArn, "deploy"] }, "roleArns[1]", "must begin with `arn:`"],
      [{ policyArns: ["arn:aws:iam::policy/x"] }, "policyArns[0]", /six sections/],
      [{ iamTags: { a: "b" } }, "iamTags", iamUser],
      [{ name: "a..b" }, "name", /two dots/],
    ],
  });
});

// @covers cloud: Role > default_sts_ttl
describe("a cloud.Role of users", () => {
  const boundary = "must be the ARN of an IAM policy";
  expectRefusals("cloudRole", 1, {
    accepted: [
      { userPath: "/" },
      { userPath: "/team/a/" },
      { userPath: `/${"a".repeat(510)}/` },
      { permissionsBoundaryArn: policyArn, iamTags: { a: "b" }, iamGroups: ["ops"] },
      { policyArns: null, policyDocument: document },
      { policyArns: null, iamGroups: ["ops"] },
      { defaultStsTtl: 0, maxStsTtl: "0s", roleArns: [], sessionTags: {}, externalId: "" },
    ],
    refused: [
      [{ roleArns: [roleArn] }, "roleArns", assumedRole],
      [{ sessionTags: { a: "b" } }, "sessionTags", assumedRole],
      [{ externalId: "x" }, "externalId", assumedRole],
      [{ defaultStsTtl: 1 }, "defaultStsTtl", sts],
      [{ maxStsTtl: "1h" }, "maxStsTtl", sts],
      [{ userPath: "team/" }, "userPath", /must begin and end with \//],
      [{ userPath: "/team" }, "userPath", /must begin and end with \//],
      [{ userPath: "/a b/" }, "userPath", /printable/],
      [{ userPath: "/ä/" }, "userPath", /printable/],
      [{ userPath: `/${"a".repeat(511)}/` }, "userPath", /at most 512/],
      [{ permissionsBoundaryArn: "policy/x" }, "permissionsBoundaryArn", "must begin with `arn:`"],
      [{ permissionsBoundaryArn: "arn:aws:iam::1" }, "permissionsBoundaryArn", /six sections/],
      [{ permissionsBoundaryArn: "arn:aws:sts::1:policy/x" }, "permissionsBoundaryArn", boundary],
      [{ permissionsBoundaryArn: roleArn }, "permissionsBoundaryArn", boundary],
    ],
    advised: [[{ policyArns: [] }, "policyDocument", /or policyArns is needed/]],
  });
});

describe("a cloud.Role of federation tokens", () => {
  expectRefusals("cloudRole", 2, {
    accepted: [{ defaultStsTtl: 60 }, { policyDocument: null, policyArns: [policyArn] }],
    refused: [
      [{ roleArns: [roleArn] }, "roleArns", assumedRole],
      [{ userPath: "/" }, "userPath", iamUser],
    ],
    advised: [[{ policyDocument: "" }, "policyDocument", /or policyArns is needed/]],
  });
});

describe("a cloud.Role of session tokens", () => {
  expectRefusals("cloudRole", 3, {
    // The document knows no lifetime for these; the newest server takes it (reference secrets-server 8).
    accepted: [{ defaultStsTtl: 60, maxStsTtl: 120 }, { mfaSerialNumber: "1" }],
    refused: [
      [{ policyDocument: document }, "policyDocument", notSession],
      [{ policyArns: [policyArn] }, "policyArns", notSession],
      [{ roleArns: [roleArn] }, "roleArns", assumedRole],
    ],
  });
});

// @covers cloud: Role > old and new do not mix
describe("a cloud.Role without a credential type", () => {
  it("is refused, unless a legacy field decides it", () => {
    expect(check(cloudRole, { name: "a" }).failures).toEqual([
      {
        property: "credentialType",
        reason: "is required; one of iam_user, assumed_role, federation_token, session_token",
      },
    ]);
  });

  it.each([
    { arn: UNKNOWN },
    { policy: UNKNOWN },
    { policy: UNKNOWN, policyDocument: {} },
    // An empty object is recorded as the text `{}`, so it is set: what is asked before and after that must agree.
    { arn: policyArn, policy: UNKNOWN, policyDocument: {} },
    { arn: UNKNOWN, policyDocument: document, maxStsTtl: 60 },
    { policy: UNKNOWN, policyArns: [policyArn] },
    { policy: document, userPath: UNKNOWN },
    { arn: roleArn, credentialType: UNKNOWN },
  ])("is accepted while %j is not known", (unknown) => {
    expect(check(cloudRole, { name: "a", ...unknown }).failures).toEqual([]);
  });

  it.each([
    [{ policy: document }, { credentialType: "iam_user", policyDocument: document }],
    [{ arn: policyArn }, { credentialType: "iam_user", policyArns: [policyArn] }],
    [{ arn: roleArn }, { credentialType: "assumed_role", roleArns: [roleArn] }],
    [
      { policy: document, arn: "" },
      { credentialType: "iam_user", policyDocument: document },
    ],
  ])("and with %j is recorded in the modern fields, with a warning", (legacy, modern) => {
    const { inputs, failures, warnings } = check(cloudRole, { name: "a", ...legacy });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ name: "a", ...modern });
    expect(warnings).toContainEqual({
      property: Object.keys(legacy)[0],
      reason: expect.stringMatching(/^is deprecated: use credentialType/),
    });
  });

  it.each([
    [{ policy: document, arn: policyArn }, "arn", "only one of policy and arn can be given"],
    [{ policy: "text" }, "policy", "is not JSON"],
    [{ arn: "policy/x" }, "arn", /must be the full ARN/],
    [{ arn: "arn:aws:iam::1:user/x" }, "arn", /must be the full ARN/],
    [{ policy: document, credentialType: "iam_user" }, "policy", /cannot be mixed with credentialType/],
    [{ arn: roleArn, policyDocument: document }, "arn", /cannot be mixed with policyDocument/],
    [{ policy: document, policyDocument: {} }, "policy", /cannot be mixed with policyDocument/],
    [{ arn: roleArn, iamTags: { a: "b" } }, "arn", /cannot be mixed with iamTags/],
  ])("and with %j is refused at %s", (legacy, property, reason) => {
    const { failures } = check(cloudRole, { name: "a", ...legacy });
    const found = failures.find((failure) => failure.property === property);
    expect(found?.reason).toMatch(reason);
  });
});

// @covers cloud: Role > name
describe("the name of a cloud.Role", () => {
  const named = (name: unknown) => check(cloudRole, { name, credentialType: "session_token" });

  it.each(["a", "Deploy", "a@b", "a.b-c", "_a"])("may be %j, and its case is kept", (name) => {
    expect(named(name)).toMatchObject({ failures: [], warnings: [], inputs: { name } });
  });

  it.each(["", "@a", "a@", "a.", "a b", "a/b", "a+b"])("is not %j", (name) => {
    expect(named(name).failures.map(({ property }) => property)).toEqual(["name"]);
  });
});

it("a refused policy document is not shown", () => {
  const text = randomUUID();
  expect(
    JSON.stringify(check(cloudRole, { name: "a", credentialType: "iam_user", policyDocument: text }).failures),
  ).not.toContain(text);
});
