import { describe, expect, it } from "vitest";
import { errorOf, serving, tokenWith } from "./frame-harness";

const { ask } = serving();

const create = async (body: Record<string, unknown>) =>
  String((await ask("POST auth/token/create", body)).auth?.["client_token"]);
const invalid = "2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n";
const unknownPolicy = (name: string) => `Policy "${name}" does not exist`;
const capped = (wanted: string, max: string) =>
  `TTL of "${wanted}" exceeded the effective max_ttl of "${max}"; TTL value is capped accordingly`;

describe("creating a token", () => {
  it("answers the auth block", async () => {
    const body = { ttl: "1h", policies: ["Foo", " bar "], meta: { a: "b" }, num_uses: 3, no_parent: true };
    const { status, data, auth, warnings } = await ask("POST auth/token/create", body);
    expect([status, data, warnings]).toEqual([200, null, [unknownPolicy("bar"), unknownPolicy("foo")]]);
    expect(auth).toEqual({
      client_token: expect.stringMatching(/^hvs\.\w{24}$/),
      accessor: expect.stringMatching(/^\w{24}$/),
      policies: ["bar", "default", "foo"],
      token_policies: ["bar", "default", "foo"],
      metadata: { a: "b" },
      lease_duration: 3600,
      renewable: true,
      entity_id: "",
      token_type: "service",
      orphan: true,
      mfa_requirement: null,
      num_uses: 3,
    });
  });

  it.each([
    [{ policies: ["root"] }, { policies: ["root"], lease_duration: 0, renewable: false }, null],
    [{ policies: ["root"], ttl: "1h" }, { lease_duration: 3600, renewable: true }, null],
    [{ period: "1h" }, { lease_duration: 3600, renewable: true }, null],
    [{ lease: "1h" }, { lease_duration: 3600 }, null],
    [{ ttl: "900h" }, { lease_duration: 2_764_800 }, [capped("900h", "768h")]],
    [{ ttl: "2h", explicit_max_ttl: "1h", policies: ["default"] }, { lease_duration: 3600 }, [capped("2h", "1h")]],
    [{ policies: ["default"], renewable: false }, { renewable: false, lease_duration: 2_764_800 }, null],
    [{ policies: ["a"], no_default_policy: true }, { policies: ["a"] }, [unknownPolicy("a")]],
    [{ policies: ["default"], type: "batch" }, { token_type: "batch", accessor: "", renewable: false }, null],
  ])("%j", async (body, auth, warnings) => {
    const answer = await ask("POST auth/token/create", body);
    expect(answer.auth).toMatchObject(auth);
    expect(answer.warnings).toEqual(warnings);
  });

  it.each([
    [{ type: "zz" }, "invalid 'token_type' value"],
    [{ ttl: "x" }, 'time: invalid duration "x"'],
    [{ ttl: "-1h" }, "ttl must be positive"],
    [{ num_uses: -1 }, "number of uses cannot be negative"],
    [{ id: "a.b" }, "custom token ID cannot have a '.' in the value"],
    [{ type: "batch" }, "batch tokens cannot be root tokens"],
    [{ type: "batch", policies: ["a"], period: "1h" }, 'batch tokens cannot have "period" set'],
    [{ entity_alias: "x" }, "'entity_alias' is only allowed in combination with token role"],
  ])("%j is refused: %s", async (body, text) => {
    expect(errorOf(await ask("POST auth/token/create", body))).toEqual([400, text]);
  });

  it("refuses an id that is taken", async () => {
    await ask("POST auth/token/create", { id: "mine", policies: ["default"] });
    expect(errorOf(await ask("POST auth/token/create", { id: "mine" }))).toEqual([
      400,
      "cannot create a token with a duplicate ID",
    ]);
  });

  it("gives a child no more than its parent has", async () => {
    const policy = 'path "auth/token/create" { capabilities = ["update"] }';
    const parent = await tokenWith(ask, policy);
    const refuse = async (body: unknown) => errorOf(await ask("POST auth/token/create", body, { token: parent }));
    expect(await refuse({ policies: ["root"] })).toEqual([400, "child policies must be subset of parent"]);
    expect(await refuse({ id: "x" })).toEqual([400, "root or sudo privileges required to specify token id"]);
    expect(await refuse({ no_parent: true })).toEqual([400, "root or sudo privileges required to create orphan token"]);
    expect((await ask("POST auth/token/create", {}, { token: parent })).status).toBe(200);
    const lean = await tokenWith(ask, policy, { no_default_policy: true });
    expect((await ask("POST auth/token/create", {}, { token: lean })).auth?.["policies"]).not.toContain("default");
  });

  it("is not for tokens of limited use or batch tokens", async () => {
    const policy = 'path "auth/token/create" { capabilities = ["update"] }';
    const limited = await tokenWith(ask, policy, { num_uses: 3 });
    expect(errorOf(await ask("POST auth/token/create", {}, { token: limited }))).toEqual([
      400,
      "restricted use token cannot generate child tokens",
    ]);
    const batch = await tokenWith(ask, policy, { type: "batch" });
    expect(errorOf(await ask("POST auth/token/create", {}, { token: batch }))).toEqual([
      400,
      "batch tokens cannot create more tokens",
    ]);
  });
});

describe("looking a token up", () => {
  it("shows the root token without an end", async () => {
    expect((await ask("GET auth/token/lookup-self")).data).toEqual({
      accessor: expect.any(String),
      creation_time: expect.any(Number),
      creation_ttl: 0,
      display_name: "root",
      entity_id: "",
      expire_time: null,
      explicit_max_ttl: 0,
      id: expect.stringMatching(/^hvs\./),
      meta: null,
      num_uses: 0,
      orphan: true,
      path: "auth/token/root",
      policies: ["root"],
      ttl: 0,
      type: "service",
    });
  });

  it("shows what a created token has besides", async () => {
    const token = await create({ policies: ["default"], ttl: "1h", display_name: "x y" });
    const { data } = await ask("GET auth/token/lookup-self", undefined, { token });
    expect(data).toMatchObject({ display_name: "token-x-y", creation_ttl: 3600, orphan: false, renewable: true });
    expect(data?.["expire_time"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect((await ask("POST auth/token/lookup", { token })).data).toMatchObject({ id: token });
    const { data: byAccessor } = await ask("POST auth/token/lookup-accessor", { accessor: data?.["accessor"] });
    expect(byAccessor).toMatchObject({ id: "", display_name: "token-x-y" });
  });

  it("counts uses down, and the last one reads -1", async () => {
    const token = await create({ policies: ["default"], num_uses: 2 });
    const uses = async () => (await ask("GET auth/token/lookup-self", undefined, { token })).data?.["num_uses"];
    expect([await uses(), await uses()]).toEqual([1, -1]);
    expect(errorOf(await ask("GET auth/token/lookup-self", undefined, { token }))).toEqual([403, invalid]);
  });

  it("refuses an unknown one", async () => {
    expect(errorOf(await ask("POST auth/token/lookup", { token: "zz" }))).toEqual([403, "bad token"]);
  });
});

describe("renewing and revoking", () => {
  it.each([
    [{ policies: ["default"], renewable: false }, "lease is not renewable"],
    [{ policies: ["default"], type: "batch" }, "batch tokens cannot be renewed"],
  ])("%j cannot be renewed", async (body, text) => {
    const token = await create(body);
    expect(errorOf(await ask("POST auth/token/renew-self", {}, { token }))).toEqual([400, text]);
  });

  it("asks for the last lifetime, or the increment up to the maximum", async () => {
    const token = await create({ policies: ["default"], ttl: "1h" });
    const renew = (body: unknown) => ask("POST auth/token/renew-self", body, { token });
    expect((await renew({})).auth).toMatchObject({ lease_duration: 3600 });
    expect((await renew({ increment: "2h" })).auth).toMatchObject({ lease_duration: 7200 });
    expect((await renew({})).auth).toMatchObject({ lease_duration: 7200 });
    // What is left of the maximum: a second may have passed since the token was made.
    const { warnings } = await renew({ increment: "900h" });
    expect([capped("900h", "768h"), capped("900h", "767h59m59s")]).toContain(warnings?.[0]);
    expect(errorOf(await renew({ increment: "x" }))).toEqual([
      400,
      'Field validation failed: error converting input for field "increment": time: invalid duration "x"',
    ]);
  });

  it("revokes a token and all that it created", async () => {
    const parent = await tokenWith(ask, 'path "auth/token/create" { capabilities = ["update"] }');
    const { auth } = await ask("POST auth/token/create", {}, { token: parent });
    const child = String(auth?.["client_token"]);
    expect((await ask("POST auth/token/revoke-self", undefined, { token: parent })).status).toBe(204);
    for (const token of [parent, child]) {
      expect(errorOf(await ask("GET auth/token/lookup-self", undefined, { token }))).toEqual([403, invalid]);
    }
  });

  it("revoking an unknown token is success, none is not", async () => {
    expect((await ask("POST auth/token/revoke", { token: "zz" })).status).toBe(204);
    expect(errorOf(await ask("POST auth/token/revoke", {}))).toEqual([400, "missing token ID"]);
  });
});
