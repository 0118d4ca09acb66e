import { describe, expect, it } from "vitest";
import { errorOf, serving } from "./frame-harness";

const { ask } = serving();

const base = { role_type: "jwt", user_claim: "sub", bound_subject: "x" };
let count = 0;

/** Writes a new role, one write after another; the last answer and what is read then. */
async function role(...writes: readonly object[]) {
  count += 1;
  const path = `auth/jwt/role/r${count}`;
  let answer = await ask(`POST ${path}`, writes[0]);
  for (const write of writes.slice(1)) answer = await ask(`POST ${path}`, write);
  return { answer, read: (await ask(`GET ${path}`)).data };
}

const unset = {
  allowed_redirect_uris: null,
  bound_audiences: null,
  bound_claims: null,
  bound_claims_type: "string",
  bound_subject: "x",
  claim_mappings: null,
  clock_skew_leeway: 0,
  expiration_leeway: 0,
  groups_claim: "",
  max_age: 0,
  not_before_leeway: 0,
  oidc_scopes: null,
  role_type: "jwt",
  token_bound_cidrs: [],
  token_explicit_max_ttl: 0,
  token_max_ttl: 0,
  token_no_default_policy: false,
  token_num_uses: 0,
  token_period: 0,
  token_policies: [],
  token_ttl: 0,
  token_type: "default",
  user_claim: "sub",
  user_claim_json_pointer: false,
  verbose_oidc_logging: false,
};

describe("reading a role", () => {
  // @covers jwt: Endpoints > GET auth/{mount}/role/{name}
  it("shows exactly these keys; lists and maps that were never sent are null", async () => {
    const { answer, read } = await role(base);
    expect(answer.status).toBe(204);
    expect(read).toEqual(unset);
  });

  it.each([
    [
      { bound_audiences: [], oidc_scopes: "", allowed_redirect_uris: null },
      { bound_audiences: [], oidc_scopes: [], allowed_redirect_uris: [] },
    ],
    [
      { bound_claims: {}, claim_mappings: [] },
      { bound_claims: {}, claim_mappings: {} },
    ],
    [
      { bound_claims: null, claim_mappings: null },
      { bound_claims: null, claim_mappings: null },
    ],
    [
      { token_ttl: "1h", max_age: "5m", clock_skew_leeway: -1 },
      { token_ttl: 3600, max_age: 300, clock_skew_leeway: -1 },
    ],
    [{ token_ttl: null, token_num_uses: null, token_policies: null }, {}],
    [{ token_type: "" }, {}],
    [
      { token_type: "service", token_num_uses: "5" },
      { token_type: "service", token_num_uses: 5 },
    ],
    [{ token_policies: "b, A,b" }, { token_policies: ["b", "A", "b"] }],
    [{ bound_claims: [{ a: "x" }, { b: true }] }, { bound_claims: { a: "x", b: true } }],
    [{ claim_mappings: ["a=b", "c=d=e"] }, { claim_mappings: { a: "b", c: "d=e" } }],
    [{ claim_mappings: { role: "a" } }, { claim_mappings: { role: "a" } }],
  ])("%j", async (fields, shown) => {
    const { answer, read } = await role({ ...base, ...fields });
    expect(answer.status).toBe(204);
    expect(read).toEqual({ ...unset, ...shown });
  });
});

describe("writing over a role", () => {
  // @covers jwt: Role > role_type
  it("keeps what is omitted, but for the two types, which fall back", async () => {
    const full = { bound_audiences: ["a"], bound_claims: { a: "x*" }, bound_claims_type: "glob", token_ttl: 60 };
    const { read } = await role({ ...base, ...full, allowed_redirect_uris: "u" }, { groups_claim: "g" });
    expect(read).toMatchObject({
      role_type: "oidc",
      bound_claims_type: "string",
      bound_audiences: ["a"],
      bound_claims: { a: "x*" },
      token_ttl: 60,
      groups_claim: "g",
    });
  });

  it("clears what is empty or null, but null leaves a duration alone", async () => {
    const full = { bound_audiences: ["a"], groups_claim: "g", token_ttl: 60, max_age: 5, token_num_uses: 2 };
    const clearing = { bound_audiences: null, groups_claim: "", token_ttl: null, max_age: 0, token_num_uses: null };
    const { read } = await role({ ...base, ...full }, { ...base, ...clearing });
    expect(read).toEqual({ ...unset, bound_audiences: [], token_ttl: 60 });
  });

  it("checks the merged role and stores nothing when it fails", async () => {
    const { answer, read } = await role({ ...base, token_ttl: "2h" }, { ...base, token_max_ttl: "1h" });
    expect(errorOf(answer)).toEqual([400, "'token_ttl' cannot be greater than 'token_max_ttl'"]);
    expect(read).toMatchObject({ token_ttl: 7200, token_max_ttl: 0 });
  });
});

describe("a role is refused", () => {
  const batch = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
  const address = (text: string) =>
    `error parsing address "${text}": Unable to convert "${text}" to an IPv4 or IPv6 address, or a UNIX Socket`;
  const noUris = "'allowed_redirect_uris' must be set if 'role_type' is 'oidc' or unspecified.";
  const unbound = "must have at least one bound constraint when creating/updating a role";

  it.each([
    [{ ...base, role_type: "saml" }, "invalid 'role_type': saml"],
    [{ ...base, role_type: "JWT" }, "invalid 'role_type': JWT"],
    [{ ...base, role_type: null }, noUris],
    [{ user_claim: "x" }, noUris],
    [{ ...base, allowed_redirect_uris: [], role_type: "oidc" }, noUris],
    [{ ...base, token_bound_cidrs: "x" }, address("x")],
    [{ ...base, token_bound_cidrs: "1.2.3.4:99999" }, address("1.2.3.4:99999")],
    [{ ...base, token_bound_cidrs: ["1.2.3.4", "fe80::1%eth0"] }, address("fe80::1%eth0")],
    [{ ...base, bound_cidrs: "01.2.3.4" }, address("01.2.3.4")],
    [{ ...base, token_type: "default-service" }, `invalid 'token_type' value "default-service"`],
    [{ ...base, token_num_uses: -1 }, "'token_num_uses' cannot be negative"],
    [{ ...base, token_type: "batch", token_period: 5, token_num_uses: 1 }, `${batch} periodic tokens`],
    [{ ...base, token_type: "batch", token_num_uses: 1 }, `${batch} tokens with limited use count`],
    [{ ...base, token_ttl: "2h", token_max_ttl: "1h" }, "'token_ttl' cannot be greater than 'token_max_ttl'"],
    [
      { ...base, token_period: "800h" },
      `'period' of '"800h0m0s"' is greater than the backend's maximum lease TTL of '"768h0m0s"'`,
    ],
    [{ ...base, bound_claims_type: "x" }, "invalid 'bound_claims_type': x"],
    [{ ...base, bound_claims_type: "" }, "invalid 'bound_claims_type': "],
    [{ ...base, bound_claims_type: null }, "invalid 'bound_claims_type': "],
    [{ ...base, bound_claims_type: "glob", bound_claims: { a: 25 } }, "claim is not a string: 25"],
    [{ ...base, bound_claims_type: "glob", bound_claims: { a: ["a", 10] } }, "claim is not a string: 10"],
    [{ ...base, bound_claims_type: "glob", bound_claims: { a: { b: 1 } } }, "claim is not a string or list: map[b:1]"],
    [{ ...base, bound_claims_type: "glob", bound_claims: { a: null } }, "claim is not a string or list: <nil>"],
    [
      { ...base, claim_mappings: { a: "role" } },
      'metadata key "role" is reserved and may not be a mapping destination',
    ],
    [{ ...base, claim_mappings: { a: "x", b: "x" } }, 'multiple keys are mapped to metadata key "x"'],
    [{}, "a user claim must be defined on the role"],
    [{ ...base, user_claim: null }, "a user claim must be defined on the role"],
    [{ role_type: "jwt", user_claim: "x" }, unbound],
    [{ role_type: "jwt", user_claim: "x", bound_claims: {}, bound_audiences: [] }, unbound],
    [{ ...base, ttl: "2h", max_ttl: "1h" }, "ttl should not be greater than max ttl"],
    [{ ...base, token_ttl: -1 }, `error converting input for field "token_ttl": cannot provide negative value '-1'`],
  ])("%j: %s", async (body, text) => {
    const { answer, read } = await role(body);
    expect(errorOf(answer)).toEqual([400, text]);
    expect(read).toBeUndefined();
  });

  it("a glob role that was stored with a number is only looked at when the claims are sent", async () => {
    const { answer } = await role({ ...base, bound_claims: { a: 25 } }, { ...base, bound_claims_type: "glob" });
    expect(answer.status).toBe(204);
  });

  // @covers jwt: Role > a bound value
  it.each([
    { bound_audiences: [""] },
    { token_bound_cidrs: "1.2.3.4" },
    { bound_claims: { a: 1 } },
    { bound_subject: "s" },
  ])("but not with any one constraint: %j", async (bound) => {
    expect((await role({ role_type: "jwt", user_claim: "x", ...bound })).answer.status).toBe(204);
  });
});

describe("bound addresses are shown as", () => {
  it.each([
    ["10.0.0.1/32", "10.0.0.1"],
    ["10.1.2.3/16", "10.1.2.3/16"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["1.2.3.4/032", "1.2.3.4"],
    ["10.0.0.0/ffffff00", "10.0.0.0"],
    ["1.2.3.4:80", "1.2.3.4:80"],
    ["1.2.3.4:", "1.2.3.4"],
    ["::1/128", "::1"],
    ["2001:DB8::0:1", "2001:db8::1"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["::FFFF:1.2.3.4", "1.2.3.4"],
    ["::ffff:10.0.0.1/120", "10.0.0.1/24"],
    ["[::1]", "::1"],
    ["[2001:DB8::1]:443", "[2001:db8::1]:443"],
    ["1.2.3.4/33", String.raw`"\"1.2.3.4/33\""`],
    ["/run/sock", String.raw`"\"/run/sock\""`],
  ])("%s: %s", async (written, shown) => {
    expect((await role({ ...base, token_bound_cidrs: written })).read).toMatchObject({ token_bound_cidrs: [shown] });
  });

  it("sockets, with another level of quotes after every write of whatever field", async () => {
    const { read } = await role({ ...base, token_bound_cidrs: "1.2.3.4/33" }, { ...base, groups_claim: "g" });
    expect(read).toMatchObject({ token_bound_cidrs: [JSON.stringify(JSON.stringify(JSON.stringify("1.2.3.4/33")))] });
  });
});

describe("the deprecated names", () => {
  it.each([
    ["set both alone", [{ policies: "B, a,B,,c" }], { policies: ["a", "b", "c"], token_policies: ["a", "b", "c"] }],
    ["collapse to root", [{ policies: "a,Root" }], { policies: ["root"], token_policies: ["root"] }],
    [
      "mirror the new ones beside them",
      [{ policies: ["a"], token_policies: ["b"] }],
      { policies: ["b"], token_policies: ["b"] },
    ],
    ["go when only the new one is sent", [{ policies: ["a"] }, { token_policies: ["b"] }], { token_policies: ["b"] }],
    [
      "stay when neither is sent",
      [{ policies: ["a"] }, { groups_claim: "g" }],
      { policies: ["a"], token_policies: ["a"], groups_claim: "g" },
    ],
    ["are not shown when empty", [{ policies: [], ttl: 0 }], {}],
    [
      "exist for numbers too",
      [{ num_uses: 3, ttl: "1h", max_ttl: "2h", period: "3h" }, { token_ttl: 5 }],
      {
        num_uses: 3,
        token_num_uses: 3,
        token_ttl: 5,
        max_ttl: 7200,
        token_max_ttl: 7200,
        period: 10_800,
        token_period: 10_800,
      },
    ],
    [
      "exist for addresses too",
      [{ bound_cidrs: "1.2.3.4" }],
      { bound_cidrs: ["1.2.3.4"], token_bound_cidrs: ["1.2.3.4"] },
    ],
    [
      "escape the check of a batch token",
      [{ token_type: "batch", num_uses: 1 }],
      { token_type: "batch", num_uses: 1, token_num_uses: 1 },
    ],
    ["and of negative uses", [{ num_uses: -1 }], { token_num_uses: -1 }],
  ])("%s", async (_name, writes, shown) => {
    const { answer, read } = await role(...writes.map((write) => ({ ...base, ...write })));
    expect(answer.status).toBe(204);
    expect(read).toEqual({ ...unset, ...shown });
  });
});
