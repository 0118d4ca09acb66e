import { describe, expect, it } from "vitest";
import type { ServerInfo } from "../../../provider/core/availability";
import { check } from "../../../provider/core/check";
import { removalOf } from "../../../provider/core/removal";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { sysPolicy } from "../../../provider/resources/sys/policy";
import { expectRefusals } from "./expect-refusals";

const a = (body: string) => ({ policy: `path "a" { ${body} }` });

// Asked of Vault 1.21.1, but for what is about `rules`.
// @covers beyond: Policies > what a text says
// @covers beyond: Policies > policies of the server's own
describe("a sys.Policy by its text", () => {
  expectRefusals("sysPolicy", 0, {
    accepted: [
      { name: "team/ci of é" },
      { name: "default" },
      { policy: "# nothing" },
      { policy: " " },
      a('capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo", "subscribe", "recover"]'),
      a('capabilities = ["deny", "fly"]'),
      a('policy = "sudo" mfa_methods = ["x"] control_group = { ttl = "1h" } comment = "c"'),
      { policy: 'path "+/a/+" {} path "" {} path "a{{identity.entity.id}}" {} path "*" {}' },
      { policy: '{"path": {"a": {"capabilities": ["read"]}}}' },
      { policy: '{"path":{"a\\xe9":{"capabilities":["read",],"comment":9223372036854775808},},}' },
      a("required_parameters = [9223372036854775808] comment = 1e999"),
      a("allowed_parameters = { x = [9223372036854775807, -9223372036854775808, 1e300] }"),
      { policy: 'name = 5 path "a" { capabilities = ["deny"] min_wrapping_ttl = "fly" }' },
      a('min_wrapping_ttl = "500ms" max_wrapping_ttl = 1e3 required_parameters = [1, 0x1F, -0]'),
      a("allowed_parameters { x = [1e3, 1.0, true, [1]] } allowed_parameters { x = [2] }"),
    ],
    refused: [
      [{ name: null }, "name", "is required"],
      [{ name: "/a" }, "name", "without spaces at its ends, empty segments"],
      [{ name: "a/" }, "name", "without spaces at its ends, empty segments"],
      [{ name: " a" }, "name", "without spaces at its ends, empty segments"],
      [{ name: "a//b" }, "name", "without spaces at its ends, empty segments"],
      [{ name: "a/../b" }, "name", "without spaces at its ends, empty segments"],
      [{ name: "a\u0007b" }, "name", "control"],
      [{ name: "Root" }, "name", "the server's own"],
      [{ name: "response-wrapping" }, "name", "the server's own"],
      [{ name: "control-group" }, "name", "the server's own"],
      [{ policy: undefined }, "policy", "is not set, and neither is rules: one of them is required"],
      [{ policy: "" }, "policy", "is not set, and neither is rules: one of them is required"],
      [{ policy: 5 }, "policy", "must be a string"],
      [{ policy: "path a" }, "policy", 'cannot be read: `{` or `=` is expected after "path"'],
      [{ policy: "{" }, "policy", "is not JSON"],
      [{ policy: Buffer.from("path a {}").toString("base64") }, "policy", "is base64"],
      [{ policy: "////comment+" }, "policy", "is base64"],
      [{ policy: "rule a {}" }, "policy", 'unknown key "rule"'],
      [{ policy: "path = []" }, "policy", "has a path that is not"],
      [{ policy: 'path = { "a" = {} }' }, "policy", 'path "path" has the unknown key "a"'],
      [{ policy: 'path "a/+*" {}' }, "policy", "has +*, which the server refuses"],
      [{ policy: 'path "a{{b" {}' }, "policy", "has {{ without }}"],
      [a("fly = 1"), "policy", 'path "a" has the unknown key "fly"'],
      [a('Capabilities = ["read"]'), "policy", 'unknown key "Capabilities"'],
      [a('capabilities = ["read", "fly"]'), "policy", 'unknown capability "fly"'],
      [a('capabilities = ["fly", "deny"]'), "policy", 'unknown capability "fly"'],
      [a('capabilities = ["root"]'), "policy", 'unknown capability "root"'],
      [a('capabilities = ["READ"]'), "policy", 'unknown capability "READ"'],
      [a('capabilities = ["constructor"]'), "policy", 'unknown capability "constructor"'],
      [a('capabilities = "read"'), "policy", "capabilities that is no list"],
      [a("capabilities = [true]"), "policy", "capabilities that is no list"],
      [a('policy = "fly"'), "policy", 'unknown policy "fly"'],
      [a("allowed_parameters = []"), "policy", "allowed_parameters that is no map of lists"],
      [a("allowed_parameters = { x = 1 }"), "policy", "allowed_parameters that is no map of lists"],
      [a("denied_parameters = { X = [], x = [] }"), "policy", 'denied_parameters with "x" twice'],
      [
        a("allowed_parameters { X = [] } allowed_parameters { x = [] }"),
        "policy",
        '"x" twice, in upper and lower case',
      ],
      [a('policy = ["read"]'), "policy", "has a policy that is no text"],
      [a("policy = true"), "policy", "has a policy that is no text"],
      [{ policy: "name = true" }, "policy", "has a name that is no text"],
      [a('capabilities = ["deny"] required_parameters = "a"'), "policy", "required_parameters that is no list"],
      [a('capabilities = ["deny"] allowed_parameters = { x = 1 }'), "policy", "allowed_parameters that is no map"],
      [
        { policy: '{"path":{"a":{"capabilities":["deny"],"max_wrapping_ttl":60,"max_wrapping_ttl":1.5}}}' },
        "policy",
        "has max_wrapping_ttl twice",
      ],
      [a("required_parameters = [1e3]"), "policy", "required_parameters that is no list of texts"],
      [a("mfa_methods = [1.0]"), "policy", "mfa_methods that is no list of texts"],
      [{ policy: '{"path":{"a":{"required_parameters":[null]}}}' }, "policy", "has null in a list"],
      [{ policy: '{"path":{"a":{"denied_parameters":{"x":[true]}}}}' }, "policy", "has true in a list"],
      [a('min_wrapping_ttl = " 60 "'), "policy", "min_wrapping_ttl that is no duration"],
      [
        a('max_wrapping_ttl = "1s" min_wrapping_ttl = "1500ms"'),
        "policy",
        "max_wrapping_ttl below its min_wrapping_ttl",
      ],
      [{ policy: '{"path":{"a\\/b":{}}}' }, "policy", "unknown escape"],
      [
        a("allowed_parameters = { x = [9223372036854775808] }"),
        "policy",
        "has the number 9223372036854775808, which is too large",
      ],
      [a("denied_parameters = { x = [1e999] }"), "policy", "has the number 1e999, which is too large"],
      [a("min_wrapping_ttl = 9007199254740993"), "policy", "min_wrapping_ttl that is no duration"],
      [a("required_parameters = {}"), "policy", "required_parameters that is no list"],
      [a('min_wrapping_ttl = "fly"'), "policy", "min_wrapping_ttl that is no duration"],
      [a("max_wrapping_ttl = true"), "policy", "max_wrapping_ttl that is no duration"],
      [a("min_wrapping_ttl = 10 max_wrapping_ttl = 5"), "policy", "max_wrapping_ttl below its min_wrapping_ttl"],
      [{ policy: "path {} path {}", rules: [], name: "root" }, "name", "the server's own"],
    ],
    advised: [
      [{ name: "a..b" }, "name", "two dots in a row"],
      [{ policy: 'path "a/*/b" {}' }, "policy", "has * before its end"],
      [{ policy: 'path "/v1/secret/x" {}' }, "policy", 'path "v1/secret/x" begins with v1/'],
    ],
  });
});

describe("a sys.Policy by its rules", () => {
  const one = (more: object) => ({ rules: [{ path: "a", capabilities: ["read"], ...more }] });
  expectRefusals("sysPolicy", 1, {
    accepted: [
      one({ capabilities: [] }),
      one({ capabilities: ["deny"] }),
      one({ allowedParameters: { x: [1, "a", true], "*": [] }, deniedParameters: {}, requiredParameters: ["x"] }),
      one({ minWrappingTtl: "500ms", maxWrappingTtl: "1.5s" }),
      one({ minWrappingTtl: "1m", maxWrappingTtl: 60, subscribeEventTypes: ["kv*"], comment: "for\npeople" }),
      { rules: undefined, policy: "path a {}" },
    ],
    refused: [
      [{ rules: [] }, "policy", "is not set, and neither is rules: one of them is required"],
      [{ policy: "path a {}" }, "policy", "only one of policy and rules"],
      [{ rules: "x" }, "rules", "must be a list of { path, capabilities }"],
      [{ rules: ["x"] }, "rules[0]", "must be { path, capabilities }"],
      [one({ path: " " }), "rules[0].path", "must not be empty"],
      [one({ path: "a/+*" }), "rules[0].path", "has +*"],
      [one({ path: "a}}" }), "rules[0].path", "has {{ without }}"],
      [one({ capabilities: ["read", "fly"] }), "rules[0].capabilities[1]", 'must be one of "create"'],
      [one({ capabilities: ["deny", "read"] }), "rules[0].capabilities", "has deny beside others"],
      [one({ allowedParameters: { x: "y" } }), "rules[0].allowedParameters.x", "must be a list of values"],
      [
        one({ deniedParameters: { x: [{}] } }),
        "rules[0].deniedParameters.x[0]",
        "must be a string, a number or a boolean",
      ],
      [one({ deniedParameters: { x: [], X: [] } }), "rules[0].deniedParameters", "twice"],
      [one({ requiredParameters: [""] }), "rules[0].requiredParameters[0]", "must not be empty"],
      [one({ minWrappingTtl: "fly" }), "rules[0].minWrappingTtl", "is not a duration"],
      [one({ minWrappingTtl: "0.1ns" }), "rules[0].minWrappingTtl", "must be at least a nanosecond"],
      [one({ minWrappingTtl: -1 }), "rules[0].minWrappingTtl", "must not be negative"],
      [one({ minWrappingTtl: 0.5 }), "rules[0].minWrappingTtl", "is not a duration"],
      [one({ minWrappingTtl: "1500ms", maxWrappingTtl: 1 }), "rules[0].maxWrappingTtl", "must not be shorter"],
      [one({ minWrappingTtl: "2h", maxWrappingTtl: "1h" }), "rules[0].maxWrappingTtl", "must not be shorter"],
      [one({ colour: "red" }), "rules[0]", /[Uu]nrecognized key/],
    ],
    advised: [[one({ path: "a*b" }), "policy", "has * before its end"]],
  });

  it("records the text that is sent", () => {
    const rules = [
      {
        path: `a/"\${b}"`,
        capabilities: ["list", "read"],
        allowedParameters: { x: ["1", 2] },
        requiredParameters: ["x"],
        minWrappingTtl: "500ms",
        maxWrappingTtl: 3600,
        comment: "c",
      },
      { path: "b", capabilities: [] },
    ];
    expect(check(sysPolicy, { name: "CI", rules }).inputs).toEqual({
      name: "ci",
      policy: `path "a/\\"\\u0024{b}\\"" {
  comment = "c"
  capabilities = ["read", "list"]
  allowed_parameters = {
    "x" = ["1", 2]
  }
  required_parameters = ["x"]
  min_wrapping_ttl = "0.5s"
  max_wrapping_ttl = "1h"
}

path "b" {
  capabilities = []
}
`,
    });
  });

  it("is an unknown text while a part of it is unknown, and what is known is checked all the same", () => {
    const rules = [
      { path: UNKNOWN, capabilities: ["read"] },
      { path: "a", capabilities: [UNKNOWN, "fly"] },
    ];
    const { inputs, failures } = check(sysPolicy, { name: "ci", rules });
    expect(inputs["policy"]).toBe(UNKNOWN);
    expect(failures).toEqual([
      { property: "rules[1].capabilities[1]", reason: expect.stringMatching("must be one of") },
    ]);
    expect(check(sysPolicy, { name: "ci", rules: UNKNOWN })).toMatchObject({
      failures: [],
      inputs: { policy: UNKNOWN },
    });
    expect(check(sysPolicy, { name: "ci", policy: UNKNOWN })).toMatchObject({ failures: [], warnings: [] });
  });
});

describe("what only some servers know", () => {
  const on = (product: "vault" | "openbao", version: string, body: string) => {
    const server: ServerInfo = { product, version, enterprise: false, identity: "x" };
    return check(sysPolicy, { name: "ci", ...a(body) }, {}, server).failures.map(({ reason }) => reason);
  };

  it.each([
    [
      "vault",
      "1.19.0",
      'capabilities = ["recover"]',
      "has recover, which needs Vault 1.20.0 or newer; the server is Vault",
    ],
    ["vault", "1.21.1", 'capabilities = ["scan"]', "has scan, which needs OpenBao 2.2.0 or newer; the server is Vault"],
    ["vault", "1.21.1", "pagination_limit = 5", "has pagination_limit, which needs OpenBao"],
    ["openbao", "2.6.2", 'capabilities = ["subscribe"]', "has subscribe, which needs Vault 1.16.0"],
    ["openbao", "2.6.2", 'subscribe_event_types = ["*"]', "has subscribe_event_types, which needs Vault"],
  ] as const)("%s %s refuses %s", (product, version, body, reason) => {
    expect(on(product, version, body)).toEqual([expect.stringContaining(reason)]);
  });

  it("is accepted where it is known, and where the server is not", () => {
    expect(on("vault", "1.21.1", 'capabilities = ["recover", "subscribe"] subscribe_event_types = ["*"]')).toEqual([]);
    expect(on("openbao", "2.6.2", 'capabilities = ["scan"] pagination_limit = 5')).toEqual([]);
    expect(check(sysPolicy, { name: "ci", ...a('capabilities = ["scan", "recover"]') }).failures).toEqual([]);
  });
});

it("is deleted, but for the policy that the server does not delete", () => {
  expect(removalOf(sysPolicy, { name: "ci" })).toMatchObject({ method: "DELETE" });
  expect(removalOf(sysPolicy, { name: "default" })).toBeUndefined();
});
