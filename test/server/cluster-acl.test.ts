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

// All of it asked of Consul 1.22.0.
describe("policies and tokens, as the official client sends them", () => {
  const other = "11111111-2222-3333-4444-555555555555";
  async function withPolicy() {
    const { call } = setUpCluster();
    const ask = async (line: string, body?: object, secret?: string) => {
      const { status, text } = await call(line.replace(" ", " /v1/acl/"), { body, ...(secret ? { secret } : {}) });
      return { status, text, json: /^[[{]/.test(text) ? JSON.parse(text) : undefined };
    };
    // With every member of the client's struct.
    const sent = { ID: "", Name: "x", Description: "", Rules: 'peering = "read"', Datacenters: null, Hash: null };
    const { json } = await ask("PUT policy", { ...sent, CreateIndex: 0, ModifyIndex: 0 });
    return { ask, id: String(json.ID) };
  }

  it.each([
    [
      "PUT policy",
      { Name: "p 2" },
      500,
      "Invalid Policy: invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed",
    ],
    ["PUT policy", { ID: other, Name: "y" }, 400, "Cannot specify the ID when creating a new policy"],
    [
      "PUT policy",
      { Name: "y", Namespace: "n" },
      400,
      'Policy decoding failed: json: unknown field "Namespace" - Namespaces are a Consul Enterprise feature',
    ],
    [`PUT policy/${other}`, { Name: "z" }, 500, `cannot find policy ${other}`],
    [`PUT policy/${other}`, { ID: "x", Name: "z" }, 400, "Policy ID in URL and payload do not match"],
    [
      "PUT policy/00000000-0000-0000-0000-000000000001",
      { Name: "z" },
      500,
      "Changing the Rules for the builtin global-management policy is not permitted",
    ],
    [
      "DELETE policy/00000000-0000-0000-0000-000000000001",
      undefined,
      500,
      "Delete operation not permitted on the builtin global-management policy",
    ],
    [`DELETE policy/${other}`, undefined, 404, "Cannot find policy to delete"],
    [`GET policy/${other}`, undefined, 404, "Requested policy does not exist: ACL not found"],
    ["GET policy/name/nope", undefined, 404, "Requested policy does not exist: ACL not found"],
    ["GET policy/nope", undefined, 500, "failed acl policy lookup: index error: UUID must be 36 characters"],
    ["GET policy/", undefined, 400, "Missing policy ID"],
    ["GET policy/name/", undefined, 400, "Missing policy Name"],
    ["PUT token", { Policies: [{ ID: other }] }, 500, `No such ACL policy with ID "${other}"`],
    ["PUT token", { Roles: [{ Name: "nope" }] }, 500, 'No such ACL role with name "nope"'],
    ["PUT token", { AccessorID: "x" }, 500, "Invalid Token: AccessorID - not a valid UUID"],
    ["PUT token", { SecretID: "x" }, 500, "Invalid Token: SecretID - not a valid UUID"],
    ["PUT token", { AuthMethod: "x" }, 500, "AuthMethod field is disallowed outside of login"],
    ["PUT token", { ExpirationTTL: "1s" }, 500, "ExpirationTime cannot be less than 1m0s in the future (was 1s)"],
    ["PUT token", { ExpirationTime: "2020-01-01T00:00:00Z" }, 500, "ExpirationTime cannot be before CreateTime"],
    [
      "PUT token",
      { ExpirationTTL: "1h", ExpirationTime: "2099-01-01T00:00:00Z" },
      500,
      "Token Expiration TTL and Expiration Time cannot both be set",
    ],
    [`PUT token/${other}`, {}, 500, `Cannot find token "${other}"`],
    [`GET token/${other}`, undefined, 403, "token does not exist: ACL not found"],
    [`DELETE token/${other}`, undefined, 404, "Cannot find token to delete"],
    ["DELETE token/nope", undefined, 500, "Accessor ID is missing or an invalid UUID"],
    ["GET token/", undefined, 400, "Missing token AccessorID"],
  ])("%s %j is refused", async (line, body, status, text) => {
    const { ask } = await withPolicy();
    expect(await ask(line, body)).toMatchObject({ status, text });
  });

  it("a policy is read by ID and by name, changed, listed without its rules, and deleted", async () => {
    const { ask, id } = await withPolicy();
    const named = (await ask("GET policy/name/x")).json;
    expect(named).toMatchObject({ ID: id, Name: "x", Rules: 'peering = "read"' });
    expect((await ask(`GET policy/${id}`)).json).toEqual(named);
    expect((await ask(`PUT policy/${id}`, { ID: id, Name: "y", Rules: "" })).json).toMatchObject({ ID: id, Name: "y" });
    const listed = (await ask("GET policies")).json;
    expect(listed.map((each: object) => Object.entries(each)[1]?.[1])).toEqual([
      "builtin/global-read-only",
      "global-management",
      "y",
    ]);
    expect(listed[2]).not.toHaveProperty("Rules");
    const { json: token } = await ask("PUT token", { Policies: [{ ID: id }, { Name: "y" }] });
    expect(token.Policies).toEqual([{ ID: id, Name: "y" }]);
    expect(await ask(`DELETE policy/${id}`)).toMatchObject({ status: 200, text: "true" });
    expect((await ask(`GET token/${token.AccessorID}`)).json).not.toHaveProperty("Policies");
  });

  it("a token is chosen, read by its accessor and by itself, changed but for its secret, and deleted", async () => {
    const { ask, id } = await withPolicy();
    const chosen = { AccessorID: other, SecretID: other.replace("1", "2"), Description: "t", Local: true };
    const { json } = await ask("PUT token", { ...chosen, Policies: [{ Name: "x" }], ExpirationTTL: "1h", Hash: null });
    expect(json).toMatchObject({ ...chosen, Policies: [{ ID: id, Name: "x" }], ExpirationTime: expect.any(String) });
    expect((await ask("GET token/self", undefined, chosen.SecretID)).json).toEqual(json);
    expect((await ask(`GET tokens?policy=${id}`)).json).toEqual([json]);
    expect((await ask(`GET tokens?role=${id}`)).json).toEqual([]);
    const refused = async (body: object) => (await ask(`PUT token/${other}`, body)).text;
    expect(await refused({ ...chosen, SecretID: id })).toBe("Changing a token's SecretID is not permitted");
    expect(await refused({ Local: false })).toBe(`Cannot toggle local mode of ${other}`);
    expect(await refused({ Local: true, ExpirationTTL: "2h" })).toBe(`Cannot change expiration time of ${other}`);
    const changed = (await ask(`PUT token/${other}`, { ...chosen, Description: "u" })).json;
    expect(changed).toMatchObject({ Description: "u", CreateIndex: json.CreateIndex });
    expect(changed.ModifyIndex).toBeGreaterThan(json.ModifyIndex);
    expect((await ask("PUT token", { SecretID: chosen.SecretID })).text).toBe(
      "Invalid Token: SecretID is already in use",
    );
    expect(await ask(`DELETE token/${other}`)).toMatchObject({ status: 200, text: "true" });
    expect((await ask("GET tokens")).json).toEqual([]);
  });

  it("the management token reads itself", async () => {
    const { ask } = await withPolicy();
    const { json } = await ask("GET token/self");
    expect(json).toMatchObject({ Description: "Initial Management Token", Policies: [{ Name: "global-management" }] });
    expect((await ask(`GET token/${json.AccessorID}`)).json).toEqual(json);
  });

  it("a token with a built-in policy does what that says", async () => {
    const { ask } = await withPolicy();
    const secretWith = async (Name: string) => (await ask("PUT token", { Policies: [{ Name }] })).json.SecretID;
    expect((await ask("GET tokens", undefined, await secretWith("builtin/global-read-only"))).status).toBe(200);
    expect((await ask("PUT policy", { Name: "n" }, await secretWith("builtin/global-read-only"))).status).toBe(403);
    expect((await ask("PUT policy", { Name: "n" }, await secretWith("global-management"))).status).toBe(200);
  });
});
