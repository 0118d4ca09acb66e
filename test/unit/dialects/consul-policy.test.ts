import { expect, it } from "vitest";
import { lackedRule, partitionRules, ruleFor, rulesText } from "../../../provider/dialects/consul-policy";

it.each([
  ["GET", "v1/peerings?partition=a", { of: "peering", access: "read" }],
  ["DELETE", "v1/peering/a", { of: "peering", access: "write" }],
  ["GET", "v1/config/exported-services/default", { of: "mesh", access: "read" }],
  [
    "DELETE",
    "v1/config/exported-services/{partition|default}[?partition={partition}]",
    { of: "mesh", access: "write" },
  ],
  ["GET", "v1/config/service-intentions/web?ns=a", { of: "intention", access: "read", service: "web" }],
  ["DELETE", "v1/config/service-intentions/*", { of: "intention", access: "write" }],
  ["GET", "v1/config/service-intentions/+", { of: "intention", access: "read" }],
  ["GET", "v1/config/service-intentions/{destination}", { of: "intention", access: "read" }],
  ["GET", "v1/config/service-intentions", { of: "intention", access: "read" }],
  ["PUT", "v1/config", undefined],
])("%s %s needs %j", (method, path, rule) => {
  expect(ruleFor({ method, path })).toEqual(rule);
});

it.each([
  ["token with AccessorID 'x' lacks permission 'mesh:write'", 'mesh = "write"'],
  ["lacks permission 'intention:read' on \"web\"", 'service "web" { policy = "read" intentions = "read" }'],
  ["lacks permission 'intention:write' on \"*\"", 'service_prefix "" { policy = "read" intentions = "write" }'],
  ["anonymous token lacks permission 'peering:read'. The anonymous token", 'peering = "read"'],
])("a refusal that says %s asks for %s", (text, rule) => {
  const found = lackedRule(text);
  expect(found && rulesText([found])).toBe(rule);
});

it("a refusal of another kind asks for nothing", () => {
  expect(lackedRule("lacks permission 'agent:read' on \"dc1\"")).toBeUndefined();
  expect(lackedRule("Permission denied")).toBeUndefined();
});

it("rules are there once, the peering's first, and with write where one of them needs it", () => {
  const rules = [
    { of: "intention", access: "write", service: "web" },
    { of: "mesh", access: "write" },
    { of: "intention", access: "read", service: "web" },
    { of: "mesh", access: "read" },
    { of: "peering", access: "read" },
  ] as const;
  expect(rulesText(rules).split("\n")).toEqual([
    'peering = "read"',
    'mesh = "write"',
    'service "web" { policy = "read" intentions = "write" }',
  ]);
});

it("rules of a partition stand in a block of it, in lines where rules do", () => {
  const rules = [{ of: "peering", access: "read" } as const, { of: "mesh", access: "write" } as const];
  expect(partitionRules("team", rules)).toBe('partition "team" {\n  peering = "read"\n  mesh = "write"\n}');
  expect(partitionRules("team", rules.slice(0, 1), ", ")).toBe('partition "team" { peering = "read" }');
  expect(partitionRules(undefined, rules, ", ")).toBe('peering = "read", mesh = "write"');
  expect(partitionRules("team", [])).toBe("");
});
