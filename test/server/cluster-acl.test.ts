import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { setUpCluster } from "./cluster-harness";

/** What a token with these rules is answered when it lists, and when it deletes. */
async function rightsOf(...rules: readonly string[]) {
  const { call } = setUpCluster();
  const names = rules.map(() => randomUUID());
  for (const [at, Rules] of rules.entries()) await call("PUT /v1/acl/policy", { body: { Name: names[at], Rules } });
  const answer = await call("PUT /v1/acl/token", { body: { Policies: names.map((Name) => ({ Name })) } });
  const secret = JSON.parse(answer.text).SecretID;
  const status = async (line: string) => (await call(line, { secret })).status;
  return [await status("GET /v1/peerings"), await status("DELETE /v1/peering/a"), await status("GET /v1/agent/self")];
}

describe("the rules of a token's policies", () => {
  // @covers peering: Authentication, errors, limits, versions > permission of each endpoint
  it.each([
    [[], [403, 403, 403]],
    [['peering = "read"'], [200, 403, 403]],
    [['peering = "write"'], [200, 200, 403]],
    [['operator = "read"'], [200, 403, 403]],
    [['operator = "write"'], [200, 200, 403]],
    [['operator = "write" peering = "deny"'], [403, 403, 403]],
    [
      ['peering = "read"', 'peering = "write"'],
      [200, 200, 403],
    ],
    [
      ['peering = "deny"', 'peering = "write"'],
      [403, 403, 403],
    ],
    [['agent_prefix "" { policy = "read" }'], [403, 403, 200]],
    [['agent "dc1" { policy = "write" }'], [403, 403, 200]],
    [['agent "dc2" { policy = "write" }'], [403, 403, 403]],
    [["peering = "], [403, 403, 403]],
  ])("%j grant listing, deleting, and looking at the agent: %j", async (rules, expected) => {
    expect(await rightsOf(...rules)).toEqual(expected);
  });
});

// All of it asked of Consul 1.22.0.
describe("policies and tokens", () => {
  const policy = { Name: "x", Rules: 'peering = "read"' };

  it.each([
    ["policy", {}, 500, "Invalid Policy: no Name is set"],
    ["policy", policy, 500, 'Invalid Policy: A Policy with Name "x" already exists'],
    ["policy", "abc", 400, "Policy decoding failed: invalid character 'a' looking for beginning of value"],
    ["token", { Policies: [{ Name: "nope" }] }, 500, 'No such ACL policy with name "nope"'],
    ["token", "abc", 400, "Token decoding failed: invalid character 'a' looking for beginning of value"],
  ])("a %s of %j is refused", async (kind, body, status, text) => {
    const { call } = setUpCluster();
    await call("PUT /v1/acl/policy", { body: policy });
    expect(await call(`PUT /v1/acl/${kind}`, { body })).toMatchObject({ status, text });
  });

  it("are made by who may do everything", async () => {
    const { call, tokenWith } = setUpCluster();
    const secret = await tokenWith('peering = "write"');
    expect((await call("PUT /v1/acl/token", { body: {}, secret })).text).toMatch(/lacks permission 'acl:write'$/);
    expect((await call("PUT /v1/acl/policy", { body: policy, secret: null })).status).toBe(403);
    expect((await call("PUT /v1/acl/policy", { body: policy, secret: "nope" })).text).toBe("ACL not found");
  });
});
