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

const SHARED = {
  accepted: [
    { defaultLeaseTtl: "1h", maxLeaseTtl: "1h" },
    { defaultLeaseTtl: "1h", maxLeaseTtl: 0 },
    { listingVisibility: "unauth", description: "x", local: true, sealWrap: true, force: true },
    { path: "/team/x/" },
    { passthroughRequestHeaders: ["X-A"], options: { a: "b" } },
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
  ] as const,
};

describe("a sys.AuthMount", () => {
  const kinds = 'must be one of "default-service", "default-batch", "service", "batch"';
  expectRefusals("sysAuthMount", 0, {
    accepted: [...SHARED.accepted, { tokenType: "default-batch" }, { path: "sys" }, { path: "tokens" }],
    refused: [
      ...SHARED.refused,
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
    ],
    refused: [
      ...SHARED.refused,
      ...paths.map((path) => [{ path }, "path", /is reserved/] as const),
      ...types.map((type) => [{ type }, "type", /is built into the server/] as const),
      [{ tokenType: "batch" }, "tokenType", /is not a property of sys.SecretsMount/],
    ],
  });
});
