import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { same } from "../../../provider/core/field";
import { cloudRole, type PolicyDocument } from "../../../provider/resources/cloud/role";
import { sysPolicy } from "../../../provider/resources/sys/policy";
import { type PolicyRule, policyTextOf } from "../../../provider/resources/sys/policy-rules";
import { meaningOf, readPolicy } from "../../../provider/resources/sys/policy-text";

const policy = (one: string, other: string) => same(sysPolicy.fields.policy, one, other);

function meaning(text: string): unknown {
  const rules = readPolicy(text);
  if (typeof rules === "string") throw new Error(rules);
  return meaningOf(rules);
}

describe("two policies mean the same", () => {
  it.each([
    ['path "a" { capabilities = ["read"] }', '# x\npath "a" {\n\tcapabilities = ["read"] // y\n}\n'],
    ['path "a" { capabilities = ["read", "list"] }', 'path "/a" { policy = "read" }'],
    ['path "a" { capabilities = ["deny", "read"] }', 'path "a" { policy = "deny" max_wrapping_ttl = 5 }'],
    ['path "a" { capabilities = ["read"] comment = "x" }', 'name = "n" path "a" { capabilities = ["read", "read"] }'],
    ['path "a" {} path "b" {}', 'path "b" {} path "a" {}'],
    ['path "a" { capabilities = ["deny"] }', 'path "a" { capabilities = ["read"] } path "a" { policy = "deny" }'],
    ['path "a" { max_wrapping_ttl = "1h" min_wrapping_ttl = 0 }', 'path "a" { max_wrapping_ttl = 3600 }'],
    ['path "a" { allowed_parameters = { "X" = [1, "b"] } }', 'path "a" { allowed_parameters { x = ["b", 1, 1] } }'],
    ['path "a" { required_parameters = ["x", "y"] }', 'path "a" { required_parameters = ["y", "x"] }'],
    ['path "a" { min_wrapping_ttl = "1.5s" }', 'path "a" { min_wrapping_ttl = "1500ms" }'],
    ['path "a" { min_wrapping_ttl = 1.5 }', 'path "a" { min_wrapping_ttl = "1s" }'],
    [
      'path "a" { allowed_parameters { x = [1] } allowed_parameters { x = [2] } }',
      'path "a" { allowed_parameters { x = [1, 2] } }',
    ],
    ['path "a" { allowed_parameters = {} }', 'path "a" {}'],
    ['{"path":{"a\\xc3\\xa9":{"comment":9007199254740993,},},}', 'path "a\u00e9" {}'],
    ["# nothing", "\n"],
    ["not a policy", "not a policy"],
  ])("%j and %j", (one, other) => {
    expect(policy(one, other)).toBe(true);
  });
});

describe("two policies do not mean the same", () => {
  it.each([
    ['path "a" { capabilities = ["read"] }', 'path "a" { capabilities = ["list"] }'],
    ['path "a" { capabilities = ["read"] }', 'path "a/" { capabilities = ["read"] }'],
    ['path "a" { capabilities = ["read"] }', 'path "A" { capabilities = ["read"] }'],
    ['path "a" { capabilities = ["read"] }', 'path "//a" { capabilities = ["read"] }'],
    ['path "a" { capabilities = ["read"] }', 'path "a" { capabilities = ["read"] required_parameters = ["x"] }'],
    ['path "a" { allowed_parameters = { "x" = [] } }', 'path "a" { allowed_parameters = { "x" = ["1"] } }'],
    ['path "a" { allowed_parameters = { "x" = [1] } }', 'path "a" { allowed_parameters = { "x" = ["1"] } }'],
    ['path "a" { min_wrapping_ttl = "500ms" }', 'path "a" {}'],
    ['path "a" { min_wrapping_ttl = "1.5s" }', 'path "a" { min_wrapping_ttl = "1s" }'],
    ['path "a" { min_wrapping_ttl = " 60 " }', 'path "a" { min_wrapping_ttl = 60 }'],
    ['path "a" { required_parameters = [0] }', 'path "a" { required_parameters = [-0] }'],
    ['path "a" { required_parameters = [-0x1] }', 'path "a" { required_parameters = [-1] }'],
    ['path "a" { allowed_parameters = { "x" = [1] } }', 'path "a" { allowed_parameters = { "x" = [1.0] } }'],
    ['path "a" { denied_parameters = { "ΑΣ" = [1] } }', 'path "a" { denied_parameters = { "ας" = [1] } }'],
    ['path "a\\xe9" {}', 'path "a\\xe8" {}'],
    ['path "a\\xe9" {}', 'path "a\u00e9" {}'],
    ['path "a\\xe9" {}', 'path "a\udce9" {}'],
    [
      'path "a" { allowed_parameters = { "x" = [9007199254740993] } }',
      'path "a" { allowed_parameters = { "x" = [9007199254740992] } }',
    ],
    ['path "a" { control_group = { a = 1 } }', 'path "a" { control_group = { a = "1" } }'],
    ['path "a" { pagination_limit = { a = true } }', `path "a" { pagination_limit = ['[["a"],true]'] }`],
    [
      'path "a" { allowed_parameters { x = ["a"] } allowed_parameters { X = ["b"] } }',
      'path "a" { allowed_parameters { x = ["a", "b"] } }',
    ],
    ['{"path":{"a":{"denied_parameters":{"x":[true]}}}}', 'path "a" { denied_parameters { x = [true] } }'],
    ['{"path":{"a":{"required_parameters":[null]}}}', '{"path":{"a":{"required_parameters":[""]}}}'],
    ['path "a" { allowed_parameters = { "x" = [] } }', 'path "a" { denied_parameters = { "x" = [] } }'],
    ['path "__proto__" { capabilities = ["read"] }', 'path "__proto__" { capabilities = ["list"] }'],
    ['path "a" { allowed_parameters { __proto__ = [1] } }', 'path "a" { allowed_parameters { __proto__ = [2] } }'],
    [
      '{"path":{"a":{"capabilities":["read"]}}}',
      '{"path":{"a":{"capabilities":["sudo"]},"a":{"capabilities":["read"]}}}',
    ],
    ["path", "path "],
  ])("%j and %j", (one, other) => {
    expect(policy(one, other)).toBe(false);
  });
});

describe("a policy document of the cloud", () => {
  const document = (one: PolicyDocument, other: PolicyDocument) => same(cloudRole.fields.policyDocument, one, other);

  it.each([
    ['{"Action":"iam:*","Action":"s3:Get*"}', '{"Action":"s3:Get*"}'],
    ['{"NumericLessThan":12345678901234567890}', '{"NumericLessThan":12345678901234567891}'],
    ['{"a":[]}', '{"a":{}}'],
    ["", "{}"],
  ])("%j is not %j", (one, other) => {
    expect(document(one, other)).toBe(false);
  });

  // What Vault 1.21.1 shows of the text.
  it.each([
    ['{"Action": "iam:*", "Action": "s3:Get*"}', '{"Action":"iam:*","Action":"s3:Get*"}'],
    ['{"a": 12345678901234567890, "b": 1.0, "c": 1e2}', '{"a":12345678901234567890,"b":1.0,"c":1e2}'],
    [{ b: 1e21, a: [0.1] }, '{"a":[0.1],"b":1e+21}'],
  ])("%j is %j", (one, other) => {
    expect(document(one, other)).toBe(true);
  });
});

it("joins rules of one path that ask for the same, and keeps others apart", () => {
  expect(meaning('path "a" { capabilities = ["read"] } path "a" { capabilities = ["list"] }')).toEqual({
    a: { capabilities: ["list", "read"] },
  });
  const apart = 'path "a" { capabilities = ["read"] } path "a" { capabilities = ["list"] required_parameters = ["x"] }';
  expect(meaning(apart)).toEqual({ a: [expect.stringContaining("list"), expect.stringContaining("read")] });
});

const text = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed() && !/[\0]/.test(value));
const path = text.filter((value) => value.trim() !== "" && !/\+\*|\{\{|\}\}|^\//.test(value));
const parameters = fc.dictionary(
  text.map((name) => name.toLowerCase()),
  fc.array(fc.oneof(text, fc.integer(), fc.boolean()), { maxLength: 3 }),
  { maxKeys: 3 },
);
const rule = fc.record(
  {
    path,
    capabilities: fc.uniqueArray(fc.constantFrom("create", "read", "update", "list", "sudo")),
    allowedParameters: parameters,
    deniedParameters: parameters,
    requiredParameters: fc.array(text.filter((value) => value !== "")),
    minWrappingTtl: fc.constantFrom(0, 60, "1m", "500ms"),
    maxWrappingTtl: fc.constantFrom(3600, "2h"),
    comment: text,
  },
  { requiredKeys: ["path", "capabilities"] },
);

it("is what rules say, after they are written and read, whatever texts are in them", () => {
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), (written) => {
      // fast-check's record has members that are not there, or of their type.
      const rules = readPolicy(policyTextOf(written as PolicyRule[]));
      if (typeof rules === "string") throw new Error(rules);
      expect(rules.map((each) => each.path)).toEqual(written.map((each) => each.path));
      expect(rules.map((each) => each.capabilities)).toEqual(written.map((each) => [...each.capabilities].sort()));
      const names = (values: object | undefined) => Object.keys(values ?? {}).sort();
      expect(rules.map((each) => names(each.conditions["allowed_parameters"] as object | undefined))).toEqual(
        written.map((each) => names(each.allowedParameters)),
      );
      expect(rules.map((each) => each.conditions["required_parameters"] ?? [])).toEqual(
        written.map((each) => [...new Set(each.requiredParameters ?? [])].sort()),
      );
    }),
  );
});
