import { beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "./frame-harness";
import { type LoginBench, startLoginBench } from "./jwt-login-harness";

let bench: LoginBench;
beforeAll(async () => {
  bench = await startLoginBench();
});

const isIn = [200, undefined];
const refusal = (text: string) => [400, `error validating token: ${text}`];
const expired = refusal("invalid expiration time (exp) claim: token is expired");
const early = refusal("invalid not before (nbf) claim: token not yet valid");
const future = refusal("invalid issued at (iat) claim: token issued in the future");

async function outcome(fields: Record<string, unknown>, claims?: Record<string, unknown>) {
  await bench.role(fields);
  return errorOf(await bench.login(claims));
}

/** The server's clock goes on between signing and checking. */
const marginSeconds = 5;

describe("role: who", () => {
  it("name: finds the role in any case", async () => {
    await bench.role();
    const body = { role: "ROLE", jwt: await bench.jwt() };
    expect((await bench.ask("POST auth/jwt/login", body, { token: null })).status).toBe(200);
    const other = await bench.ask("POST auth/jwt/login", { ...body, role: "other" }, { token: null });
    expect(errorOf(other)).toEqual([400, 'role "other" could not be found']);
  });

  // @covers jwt: Role > role_type
  it("role_type: a role of type oidc logs nobody in with a JWT", async () => {
    const fields = { role_type: "oidc", allowed_redirect_uris: "http://localhost" };
    expect(await outcome(fields)).toEqual([400, "role with oidc role_type is not allowed"]);
  });

  // @covers jwt: Role > bound_audiences
  it("bound_audiences: any one match suffices", async () => {
    const fields = { bound_audiences: ["a", "b"] };
    expect(await outcome(fields, { aud: "b" })).toEqual(isIn);
    expect(await outcome(fields, { aud: ["c", "a"] })).toEqual(isIn);
    const text = "invalid audience (aud) claim: audience claim does not match any expected audience";
    for (const aud of ["c", ["A"], undefined]) expect(await outcome(fields, { aud })).toEqual(refusal(text));
  });

  // @covers jwt: Role > bound_audiences
  it("bound_audiences: without any, a token must not name one", async () => {
    const fields = { bound_audiences: [], bound_subject: "alice" };
    expect(await outcome(fields)).toEqual([400, "audience claim found in JWT but no audiences bound to the role"]);
    expect(await outcome(fields, { aud: undefined })).toEqual(isIn);
  });

  // @covers jwt: Role > user_claim
  it("user_claim: must be there and a string", async () => {
    expect(await outcome({ user_claim: "who" })).toEqual([400, 'claim "who" not found in token']);
    const number = [400, 'claim "who" could not be converted to string'];
    expect(await outcome({ user_claim: "who" }, { who: 5 })).toEqual(number);
    expect(await outcome({ user_claim: "who" }, { who: "" })).toEqual([500, "missing name in alias"]);
    await bench.role({ user_claim: "who" });
    const { auth } = await bench.login({ who: "Al Ice" });
    const token = String(auth?.["client_token"]);
    const { data } = await bench.ask("GET auth/token/lookup-self", undefined, { token });
    expect(data).toMatchObject({ display_name: "jwt-Al Ice", meta: { role: "role" }, path: "auth/jwt/login" });
  });

  // @covers beyond: jwt.Role > user_claim_json_pointer
  it("user_claim: is a JSON pointer only with user_claim_json_pointer", async () => {
    const claims = { who: { "a/b": ["x", "bob"] } };
    const pointer = { user_claim: "/who/a~1b/1" };
    expect(await outcome(pointer, claims)).toEqual([400, 'claim "/who/a~1b/1" not found in token']);
    expect(await outcome({ ...pointer, user_claim_json_pointer: true }, claims)).toEqual(isIn);
  });

  // @covers jwt: Role > bound_subject
  it("bound_subject: the sub claim must equal it", async () => {
    expect(await outcome({ bound_subject: "alice" })).toEqual(isIn);
    const wrong = refusal("invalid subject (sub) claim");
    for (const sub of ["Alice", undefined]) expect(await outcome({ bound_subject: "alice" }, { sub })).toEqual(wrong);
  });

  // @covers jwt: Role > groups_claim
  it("groups_claim: must hold strings, one of them alone or a list", async () => {
    for (const [name, claims] of [
      ["groups", { groups: ["a", ""] }],
      ["groups", { groups: "a" }],
      ["/org/groups", { org: { groups: [] } }],
    ] as const) {
      expect(await outcome({ groups_claim: name }, claims)).toEqual(isIn);
    }
    for (const [groups, text] of [
      [undefined, 'failed to fetch groups: "groups" claim not found in token'],
      [{ a: 1 }, '"groups" claim could not be converted to string list'],
      [["a", 5], "value 5 in groups claim could not be parsed as string"],
    ] as const) {
      expect(await outcome({ groups_claim: "groups" }, { groups })).toEqual([400, text]);
    }
  });

  // @covers jwt: What the service does > group aliases
  // @covers beyond: Answer of a login > identity_policies
  it("groups_claim: lets the user into the groups of these aliases, whose policies supplement token_policies", async () => {
    const policy = 'path "auth/jwt/config" { capabilities = ["read"] }';
    await bench.ask("POST sys/policies/acl/grouped", { policy });
    const { data: mount } = await bench.ask("GET sys/auth/jwt");
    const { data: group } = await bench.ask("POST identity/group", {
      name: "g",
      type: "external",
      policies: "Grouped",
    });
    const alias = { name: "deployers", mount_accessor: mount?.["accessor"], canonical_id: group?.["id"] };
    expect((await bench.ask("POST identity/group-alias", alias)).status).toBe(200);
    await bench.role({ groups_claim: "groups", token_policies: "own" });
    const { auth } = await bench.login({ sub: "grouped", groups: ["x", "deployers"] });
    expect(auth).toMatchObject({
      policies: ["default", "grouped", "own"],
      token_policies: ["default", "own"],
      identity_policies: ["grouped"],
    });
    const read = async () =>
      (await bench.ask("GET auth/jwt/config", undefined, { token: String(auth?.["client_token"]) })).status;
    expect(await read()).toBe(200);
    expect((await bench.login({ sub: "other", groups: [] })).auth?.["policies"]).toEqual(["default", "own"]);
    expect(await read()).toBe(200);
    await bench.login({ sub: "grouped", groups: ["x"] });
    expect(await read()).toBe(403);
  });

  // @covers jwt: Role > claim_mappings
  // @covers beyond: Answer of a login > metadata
  it("claim_mappings: become metadata of the token and of the alias, without what is missing", async () => {
    await bench.role({ claim_mappings: { mail: "email", "/org/name": "company", absent: "none" } });
    const { auth } = await bench.login({ sub: "mapped", mail: "m@x.example", org: { name: "acme" } });
    const metadata = { role: "role", email: "m@x.example", company: "acme" };
    expect(auth?.["metadata"]).toEqual(metadata);
    const alias = bench.server.records().secrets[`identity/entity/${auth?.["entity_id"]}`];
    expect(alias).toMatchObject({ aliases: [{ name: "mapped", metadata }] });
    const entity = await bench.ask(`GET identity/entity/id/${auth?.["entity_id"]}`);
    expect(entity.data?.["aliases"]).toMatchObject([{ name: "mapped", metadata, mount_path: "auth/jwt/" }]);
    const wrong = [400, "error converting claim 'mail' to string"];
    expect(errorOf(await bench.login({ mail: 5 }))).toEqual(wrong);
  });

  it("oidc_scopes, allowed_redirect_uris, max_age, verbose_oidc_logging: change no login with a JWT", async () => {
    const fields = { oidc_scopes: "email", allowed_redirect_uris: "http://x", max_age: 1, verbose_oidc_logging: true };
    expect(await outcome(fields)).toEqual(isIn);
  });

  // @covers jwt: What the service does > entity alias
  // @covers beyond: Answer of a login > entity_id
  it("an entity belongs to the user, in every role of the mount", async () => {
    const entityOf = async (sub: string) => (await bench.login({ sub })).auth?.["entity_id"];
    await bench.role();
    const [first, second, other] = [await entityOf("ann"), await entityOf("ann"), await entityOf("ben")];
    await bench.role({ token_policies: "x" });
    expect([second, await entityOf("ann"), other === first]).toEqual([first, first, false]);
  });
});

describe("role: bound claims", () => {
  const mismatch = (name: string) => [
    400,
    `error validating claims: claim "${name}" does not match any associated bound claim values`,
  ];

  // @covers jwt: Role > bound_claims
  it.each([
    ["a string", { ref: "main" }, { ref: "main" }, { ref: "Main" }],
    ["a list", { ref: ["main", "dev"] }, { ref: "dev" }, { ref: "test" }],
    ["a claim that is a list", { refs: "dev" }, { refs: ["main", "dev"] }, { refs: [] }],
    ["a number", { n: 3 }, { n: 3.9 }, { n: "3" }],
    ["a bool", { b: true }, { b: true }, { b: "true" }],
    ["a number in a list of the role", { n: [1, 2] }, { n: 2 }, { n: [1, 2] }],
    ["a JSON pointer", { "/a/b~1c/0": "x" }, { a: { "b/c": ["x"] } }, { a: { "b/c": ["y"] } }],
  ])("bound_claims: %s", async (_what, bound, good, bad) => {
    expect(await outcome({ bound_claims: bound }, good)).toEqual(isIn);
    expect(await outcome({ bound_claims: bound }, bad)).toEqual(mismatch(Object.keys(bound)[0] ?? ""));
  });

  it("bound_claims: a bound number that Go would write in another way never matches", async () => {
    const body = '{"role_type":"jwt","user_claim":"sub","bound_audiences":"trustplane","bound_claims":{"n":3.0}}';
    await bench.role();
    await bench.ask("POST auth/jwt/role/role", body);
    expect(errorOf(await bench.login({ n: 3 }))).toEqual(mismatch("n"));
    for (const n of [1e21, -1e21, 2 ** 62])
      expect(await outcome({ bound_claims: { n } }, { n })).toEqual(mismatch("n"));
  });

  it("bound_claims: one that is missing or null is missing", async () => {
    const missing = [400, 'error validating claims: claim "ref" is missing'];
    for (const claims of [{}, { ref: null }])
      expect(await outcome({ bound_claims: { ref: "x" } }, claims)).toEqual(missing);
  });

  // @covers jwt: Role > bound_claims_type
  it.each([
    ["main*", "maintenance", "domain"],
    ["*/main", "refs/main", "refs/main/x"],
    ["a*c*e", "abcde", "abcd"],
    ["a.c", "a.c", "abc"],
    ["*", "", undefined],
  ])("bound_claims_type glob: %s", async (pattern, good, bad) => {
    const fields = { bound_claims: { ref: pattern }, bound_claims_type: "glob" };
    expect(await outcome(fields, { ref: good })).toEqual(isIn);
    if (bad !== undefined) expect(await outcome(fields, { ref: bad })).toEqual(mismatch("ref"));
  });

  // @covers jwt: Role > bound_claims_type
  it("bound_claims_type string: a star is a star", async () => {
    expect(await outcome({ bound_claims: { ref: "m*" } }, { ref: "main" })).toEqual(mismatch("ref"));
    expect(await outcome({ bound_claims: { ref: "m*" } }, { ref: "m*" })).toEqual(isIn);
  });

  it("bound_claims_type glob: what is bound and no text fails, if the role became glob later", async () => {
    await bench.role({ bound_claims: { n: 3 } });
    await bench.ask("POST auth/jwt/role/role", { role_type: "jwt", bound_claims_type: "glob" });
    const text = "received claim is not a glob string: %!e(json.Number=3)xpVal";
    expect(errorOf(await bench.login({ n: 3 }))).toEqual([400, `error validating claims: ${text}`]);
  });
});

// @covers jwt: Limits > leeways of 0 and -1
describe("role and limits: leeways", () => {
  const untimed = { iat: undefined, exp: undefined };

  // @covers jwt: Role > clock_skew_leeway
  it.each([
    ["unset, 60 seconds", undefined, 60],
    ["0, 60 seconds", 0, 60],
    ["-1, none", -1, 0],
    ["10m", "10m", 600],
  ])("clock_skew_leeway %s: holds for exp, nbf and iat", async (_what, leeway, seconds) => {
    await bench.role(leeway === undefined ? {} : { clock_skew_leeway: leeway });
    const now = bench.now();
    const at = async (claims: Record<string, unknown>) => errorOf(await bench.login(claims));
    const beyond = seconds + marginSeconds;
    const within = seconds - marginSeconds;
    expect(await at({ iat: now - 3600, exp: now - beyond })).toEqual(expired);
    expect(await at({ nbf: now + beyond })).toEqual(early);
    expect(await at({ nbf: now - 3600, iat: now + beyond })).toEqual(future);
    expect(await at({ iat: now - 3600, exp: now - within })).toEqual(isIn);
    expect(await at({ nbf: now + within, iat: now - 1 })).toEqual(isIn);
    expect(await at({ nbf: now - 3600, iat: now + within })).toEqual(isIn);
  });

  // @covers jwt: Role > expiration_leeway
  it.each([
    ["unset, 150 seconds", undefined, 150],
    ["0, 150 seconds", 0, 150],
    ["-1, none", -1, 0],
    ["10m", "10m", 600],
  ])("expiration_leeway %s: is the life of a token without exp", async (_what, leeway, seconds) => {
    await bench.role({ clock_skew_leeway: -1, ...(leeway === undefined ? {} : { expiration_leeway: leeway }) });
    const at = async (age: number) => errorOf(await bench.login({ ...untimed, iat: bench.now() - age }));
    expect(await at(seconds + marginSeconds)).toEqual(expired);
    if (seconds > 0) expect(await at(seconds - marginSeconds)).toEqual(isIn);
  });

  // @covers jwt: Role > not_before_leeway
  it.each([
    ["unset, 150 seconds", undefined, 150],
    ["0, 150 seconds", 0, 150],
    ["-1, none", -1, 0],
    ["10m", "10m", 600],
  ])(
    "not_before_leeway %s: is how long before its exp a token of nothing else is valid",
    async (_what, leeway, seconds) => {
      await bench.role({ clock_skew_leeway: -1, ...(leeway === undefined ? {} : { not_before_leeway: leeway }) });
      const at = async (left: number) => errorOf(await bench.login({ ...untimed, exp: bench.now() + left }));
      expect(await at(seconds + marginSeconds)).toEqual(early);
      if (seconds > 0) expect(await at(seconds - marginSeconds)).toEqual(isIn);
    },
  );

  // @covers jwt: Role > expiration_leeway
  it("expiration_leeway and not_before_leeway do nothing for a token that has the claims", async () => {
    const fields = { clock_skew_leeway: -1, expiration_leeway: "1h", not_before_leeway: "1h" };
    const now = bench.now();
    expect(await outcome(fields, { iat: now - 600, exp: now - 60 })).toEqual(expired);
    expect(await outcome(fields, { nbf: now + 60 })).toEqual(early);
  });

  it("a token without any time is refused", async () => {
    const text = "no issued at (iat), not before (nbf), or expiration time (exp) claims in token";
    expect(await outcome({}, untimed)).toEqual(refusal(text));
  });

  it("a token ends when the server's clock moves past its end", async () => {
    await bench.role();
    const body = { role: "role", jwt: await bench.jwt() };
    const again = async () => errorOf(await bench.ask("POST auth/jwt/login", body, { token: null }));
    expect(await again()).toEqual(isIn);
    bench.advance(3600);
    expect(await again()).toEqual(isIn);
    bench.advance(60 + marginSeconds);
    expect(await again()).toEqual(expired);
  });
});
