import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { policyParameter } from "../../../provider/resources/policy/parameter";
import { expectRefusals } from "./expect-refusals";

// @covers policy: Authentication, errors, limits, versions > rate and size limits
describe("a policy.Parameter", () => {
  const set = /must be `polset-` followed by 16 letters or digits/;
  expectRefusals("policyParameter", 0, {
    accepted: [
      { value: "" },
      { value: "a".repeat(262_144) },
      { key: "k".repeat(128) },
      { key: "🔑".repeat(128) },
      { key: " padded key " },
      { category: "policy-set", sensitive: true, value: "x" },
    ],
    refused: [
      [{ policySetId: null }, "policySetId", "is required"],
      [{ policySetId: "pol-demo000000000001" }, "policySetId", set],
      [{ policySetId: "polset-short" }, "policySetId", set],
      [{ policySetId: "polset-demo0000000000012" }, "policySetId", set],
      [{ policySetId: "polset-demo/00000000001" }, "policySetId", set],
      [{ key: null }, "key", "is required"],
      [{ key: "" }, "key", "is required and must not be empty"],
      [{ key: "  " }, "key", "must not be blank"],
      [{ key: "k".repeat(129) }, "key", "must be at most 128 characters long"],
      [{ value: "a".repeat(262_145) }, "value", "must be at most 262144 bytes long"],
      [{ value: "ü".repeat(131_073) }, "value", "must be at most 262144 bytes long"],
      [{ value: 5 }, "value", "must be a string"],
      [{ sensitive: "true" }, "sensitive", "must be true or false"],
      [{ category: "terraform" }, "category", 'must be one of "policy-set"'],
    ],
  });

  it("does not show its value when it is refused", () => {
    const value = randomUUID();
    for (const wrong of [[value], { value }, value.repeat(10_000)]) {
      const { failures } = check(policyParameter, {
        policySetId: "polset-demo000000000001",
        key: "k",
        value: wrong,
        sensitive: true,
      });
      expect(failures).toHaveLength(1);
      expect(JSON.stringify(failures)).not.toContain(value);
    }
  });
});

describe("a policy.PolicySet", () => {
  const repo = { identifier: "acme/policies", branch: "main" };
  const inAgent = { agentEnabled: true, policyToolVersion: "0.40.0" };
  const names = /must be letters, digits, hyphens and underscores/;
  const one = "must have exactly one of oauthTokenId and githubAppInstallationId";
  expectRefusals("policyPolicySet", 0, {
    accepted: [
      { name: "A-b_1" },
      { ...inAgent, overridable: true },
      { ...inAgent, kind: "opa", policyToolVersion: "1.0.0-rc.1+x" },
      { ...inAgent, policyToolVersion: "latest" },
      { vcsRepo: { identifier: "a/b", oauthTokenId: "ot-1" } },
      { agentEnabled: false, overridable: false },
      { vcsRepo: { ...repo, githubAppInstallationId: "ghain-1" }, policiesPath: "/a" },
      { workspaceIds: ["ws-1"], projectIds: ["prj-1"], workspaceExclusionIds: ["ws-2"] },
      { global: true, workspaceExclusionIds: ["ws-2"] },
      { global: true, workspaceIds: [], projectIds: [] },
    ],
    refused: [
      [{ organization: null }, "organization", "is required"],
      [{ organization: "a/b" }, "organization", names],
      [{ name: null }, "name", "is required"],
      [{ name: "a b" }, "name", names],
      [{ kind: "tfpolicy" }, "kind", 'must be one of "sentinel", "opa"'],
      [{ kind: "opa" }, "agentEnabled", /must be true when kind is opa/],
      [{ kind: "opa", agentEnabled: false }, "agentEnabled", /must be true when kind is opa/],
      [{ agentEnabled: true }, "policyToolVersion", "must be set when agentEnabled is true"],
      [{ policyToolVersion: "0.40.0" }, "policyToolVersion", "is only valid when agentEnabled is true"],
      [
        { ...inAgent, policyToolVersion: "newest" },
        "policyToolVersion",
        "must be a version such as `0.40.0`, or `latest`",
      ],
      [{ overridable: true }, "overridable", "is only valid when agentEnabled is true"],
      [{ policiesPath: "/a" }, "policiesPath", "needs vcsRepo to be set"],
      [{ vcsRepo: repo }, "vcsRepo", one],
      [{ vcsRepo: { ...repo, oauthTokenId: "ot-1", githubAppInstallationId: "ghain-1" } }, "vcsRepo", one],
      [{ vcsRepo: { branch: "main", oauthTokenId: "ot-1" } }, "vcsRepo.identifier", "is required"],
      [{ vcsRepo: "acme/policies" }, "vcsRepo", "must be an object with identifier"],
      [{ global: true, workspaceIds: ["ws-1"] }, "workspaceIds", "cannot be set when global is true"],
      [{ global: true, projectIds: ["prj-1"] }, "projectIds", "cannot be set when global is true"],
      [{ workspaceIds: ["production"] }, "workspaceIds[0]", "must be `ws-` followed by letters or digits"],
      [{ projectIds: ["ws-1"] }, "projectIds[0]", "must be `prj-` followed by letters or digits"],
    ],
  });
});

const SHARED = {
  accepted: [
    { defaultLeaseTtl: "1h", maxLeaseTtl: "1h" },
    { defaultLeaseTtl: "1h", maxLeaseTtl: 0 },
    { listingVisibility: "unauth", description: "x", local: true, sealWrap: true, force: true },
    { path: "/team/x/" },
    { passthroughRequestHeaders: ["X-A"], options: { a: "b" } },
    { trimRequestTrailingSlashes: true, identityTokenKey: "default" },
    { pluginVersion: "1.2.0" },
    { pluginVersion: "v1.2.0-beta1+ent" },
  ],
  refused: [
    [{ path: null }, "path", "is required"],
    [{ path: "a b" }, "path", /must be a path/],
    [{ path: "a//b" }, "path", /must be a path/],
    [{ path: "a/../b" }, "path", /as a segment/],
    [{ type: null }, "type", "is required"],
    [{ type: "" }, "type", "is required and must not be empty"],
    [{ defaultLeaseTtl: "2h", maxLeaseTtl: "1h" }, "defaultLeaseTtl", "must not be longer than maxLeaseTtl"],
    [{ defaultLeaseTtl: "soon" }, "defaultLeaseTtl", /is not a duration/],
    [{ maxLeaseTtl: true }, "maxLeaseTtl", /must be a number of seconds or a duration/],
    [{ maxLeaseTtl: -1 }, "maxLeaseTtl", "must not be negative"],
    [{ listingVisibility: "x" }, "listingVisibility", 'must be one of "hidden", "unauth"'],
    [{ options: { version: "2" } }, "options.version", /cannot be set for a mount of type/],
    [{ options: { a: 1 } }, "options.a", "must be a string"],
    [{ trimRequestTrailingSlashes: "true" }, "trimRequestTrailingSlashes", "must be true or false"],
    [{ identityTokenKey: 5 }, "identityTokenKey", "must be a string"],
    [{ pluginVersion: "newest" }, "pluginVersion", "must be a version such as v1.2.0"],
    [{ pluginVersion: "" }, "pluginVersion", "must be a version such as v1.2.0"],
    [{ pluginVersion: "v1.21.1+builtin.vault" }, "pluginVersion", /must not be that of a built-in plugin/],
    [{ pluginVersion: "v0.25.0+builtin" }, "pluginVersion", /must not be that of a built-in plugin/],
  ] as const,
};

describe("a sys.AuthMount", () => {
  const locked = { type: "approle" };
  const lockouts = [
    { ...locked, userLockoutConfig: {} },
    { type: "userpass", userLockoutConfig: { lockoutThreshold: 3, lockoutDuration: "15m" } },
    { type: "ldap", userLockoutConfig: { lockoutCounterResetDuration: 900, lockoutDisable: false } },
  ];
  const kinds = 'must be one of "default-service", "default-batch", "service", "batch"';
  expectRefusals("sysAuthMount", 0, {
    accepted: [...SHARED.accepted, { tokenType: "default-batch" }, { path: "sys" }, { path: "tokens" }, ...lockouts],
    refused: [
      ...SHARED.refused,
      [{ userLockoutConfig: {} }, "userLockoutConfig", /^is only for the types approle, ldap, userpass, not /],
      [{ ...locked, userLockoutConfig: 5 }, "userLockoutConfig", "must be a map of settings"],
      [{ ...locked, userLockoutConfig: { threshold: 5 } }, "userLockoutConfig", /threshold/],
      [{ ...locked, userLockoutConfig: { lockoutThreshold: 1.5 } }, "userLockoutConfig.lockoutThreshold", /whole/],
      [{ ...locked, userLockoutConfig: { lockoutDuration: "soon" } }, "userLockoutConfig.lockoutDuration", /duration/],
      [
        { ...locked, userLockoutConfig: { lockoutDuration: "0.5s" } },
        "userLockoutConfig.lockoutDuration",
        /whole seconds/,
      ],
      [
        { ...locked, userLockoutConfig: { lockoutDisable: "no" } },
        "userLockoutConfig.lockoutDisable",
        "must be true or false",
      ],
      [{ allowedManagedKeys: ["a"] }, "allowedManagedKeys", /is not a property of sys.AuthMount/],
      [{ delegatedAuthAccessors: ["a"] }, "delegatedAuthAccessors", /is not a property of sys.AuthMount/],
      [{ tokenType: "default" }, "tokenType", kinds],
      [{ type: "token" }, "type", /is built into the server/],
      [{ path: "token" }, "path", /is reserved/],
      [{ path: "token/x" }, "path", /is reserved/],
    ],
  });
});

// @covers beyond: Mounts > type
// @covers beyond: Mounts > options
describe("a sys.SecretsMount", () => {
  const paths = ["sys", "sys/x", "auth", "auth/x", "cubbyhole", "identity", "audit"];
  const types = ["cubbyhole", "identity", "system", "token"];
  expectRefusals("sysSecretsMount", 0, {
    accepted: [
      ...SHARED.accepted,
      { forceNoCache: true },
      { path: "system" },
      { type: "kv", options: { version: "2" } },
      { allowedManagedKeys: ["hsm"], delegatedAuthAccessors: ["auth_approle_1"] },
    ],
    refused: [
      ...SHARED.refused,
      ...paths.map((path) => [{ path }, "path", /is reserved/] as const),
      ...types.map((type) => [{ type }, "type", /is built into the server/] as const),
      [{ tokenType: "batch" }, "tokenType", /is not a property of sys.SecretsMount/],
      [{ userLockoutConfig: {} }, "userLockoutConfig", /is not a property of sys.SecretsMount/],
    ],
  });
});
