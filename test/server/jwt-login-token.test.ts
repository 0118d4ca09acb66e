import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, errorOf } from "./frame-harness";
import { askFrom, type LoginBench, startLoginBench } from "./jwt-login-harness";

let bench: LoginBench;
beforeAll(async () => {
  bench = await startLoginBench();
});

const invalid = [403, "2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"];
const hour = 3600;
/** Some seconds may have passed. */
const about = (seconds: number) => expect.closeTo(seconds, -1);

const as = (token: string) => ({ token });
const lookUp = (token: string) => bench.ask("GET auth/token/lookup-self", undefined, as(token));
const renew = (token: string, body: unknown = {}) => bench.ask("POST auth/token/renew-self", body, as(token));
const isAlive = async (token: string) => (await lookUp(token)).status === 200;
const leaseOf = ({ auth }: Answer) => auth?.["lease_duration"];
const change = (fields: Record<string, unknown>) =>
  bench.ask("POST auth/jwt/role/role", { role_type: "jwt", ...fields });

describe("token fields of a role", () => {
  // @covers jwt: Token fields of a role > token_ttl
  it("token_ttl: ends the token, and is read again at renewal", async () => {
    const token = await bench.tokenOf({ token_ttl: "1h" });
    expect((await lookUp(token)).data).toMatchObject({ creation_ttl: hour, ttl: about(hour), renewable: true });
    bench.advance(hour - 60);
    expect(leaseOf(await renew(token))).toBe(hour);
    await change({ token_ttl: "10m" });
    expect(leaseOf(await renew(token))).toBe(600);
    bench.advance(590);
    expect(await isAlive(token)).toBe(true);
    bench.advance(20);
    expect(errorOf(await lookUp(token))).toEqual(invalid);
  });

  // @covers jwt: Token fields of a role > token_ttl
  // @covers beyond: Answer of a login > lease_duration
  it("token_ttl: unset it is the mount's default", async () => {
    const token = await bench.tokenOf();
    expect((await lookUp(token)).data).toMatchObject({ creation_ttl: 768 * hour, ttl: about(768 * hour) });
    await bench.ask("POST sys/auth/jwt/tune", { default_lease_ttl: "20m" });
    expect(leaseOf(await bench.login())).toBe(1200);
    await bench.ask("POST sys/auth/jwt/tune", { default_lease_ttl: "system" });
  });

  // @covers jwt: Token fields of a role > token_max_ttl
  it("token_max_ttl: no renewal goes beyond it from the time of the login on, as the role has it now", async () => {
    const token = await bench.tokenOf({ token_ttl: "1h", token_max_ttl: "90m" });
    bench.advance(hour - 60);
    const { auth, warnings } = await renew(token);
    expect(auth?.["lease_duration"]).toBeGreaterThanOrEqual(30 * 60);
    expect(auth?.["lease_duration"]).toBeLessThanOrEqual(31 * 60);
    expect(warnings?.[0]).toMatch(
      /^TTL of "1h" exceeded the effective max_ttl of "3\dm.*"; TTL value is capped accord/,
    );
    await change({ token_max_ttl: "3h" });
    expect(leaseOf(await renew(token))).toBe(hour);
    await change({ token_ttl: "10m", token_max_ttl: "30m" });
    const past = "1 error occurred:\n\t* past the max TTL, cannot renew\n\n";
    expect(errorOf(await renew(token))).toEqual([500, past]);
  });

  // @covers jwt: Token fields of a role > token_policies
  // @covers beyond: Answer of a login > policies
  it("token_policies: are put on the token and enforced on paths, what they say now", async () => {
    const rule = (path: string) => ({ policy: `path "${path}" { capabilities = ["read"] }` });
    await bench.ask("POST sys/policies/acl/work", rule("auth/jwt/config"));
    const token = await bench.tokenOf({ token_policies: ["WORK", "work", ""] });
    expect((await lookUp(token)).data?.["policies"]).toEqual(["default", "work"]);
    const read = async (path: string) => (await bench.ask(`GET ${path}`, undefined, as(token))).status;
    expect([await read("auth/jwt/config"), await read("auth/jwt/role/role"), await read("nope")]).toEqual([
      200, 403, 403,
    ]);
    const paths = ["auth/jwt/config", "auth/jwt/role/role"];
    const { data } = await bench.ask("POST sys/capabilities-self", { paths }, as(token));
    expect(data).toMatchObject({ "auth/jwt/config": ["read"], "auth/jwt/role/role": ["deny"] });
    await bench.ask("POST sys/policies/acl/work", rule("auth/jwt/role/*"));
    expect([await read("auth/jwt/config"), await read("auth/jwt/role/role")]).toEqual([403, 200]);
  });

  // @covers jwt: Token fields of a role > token_policies
  it.each([
    ["root", "auth methods cannot create root tokens"],
    ["response-wrapping", 'cannot assign policy "response-wrapping"'],
    ["control-group", 'cannot assign policy "control-group"'],
  ])("token_policies: %s is for no login", async (name, text) => {
    await bench.role({ token_policies: ["a", name] });
    expect(errorOf(await bench.login())).toEqual([400, text]);
  });

  // @covers jwt: Token fields of a role > token_bound_cidrs
  it("token_bound_cidrs: let nobody log in from elsewhere, and nobody use the token there", async () => {
    await bench.role({ token_bound_cidrs: ["127.0.0.2/31"], token_num_uses: 2 });
    const body = { role: "role", jwt: await bench.jwt() };
    const denied = [403, '{"errors":["permission denied"]}'];
    expect(await askFrom(bench, "POST auth/jwt/login", { from: "127.0.0.1", body })).toEqual(denied);
    const [status, text] = await askFrom(bench, "POST auth/jwt/login", { from: "127.0.0.3", body });
    expect(status).toBe(200);
    const token = JSON.parse(text).auth.client_token;
    const use = (from: string) => askFrom(bench, "GET auth/token/lookup-self", { from, token });
    // A use from elsewhere does not count.
    expect([await use("127.0.0.1"), await use("127.0.0.4")]).toEqual([denied, denied]);
    const [looked, shown] = await use("127.0.0.2");
    expect([looked, JSON.parse(shown).data]).toMatchObject([200, { bound_cidrs: ["127.0.0.2/31"], num_uses: 1 }]);
  });

  // @covers jwt: Token fields of a role > token_explicit_max_ttl
  it("token_explicit_max_ttl: caps the token, whatever the role says later", async () => {
    const token = await bench.tokenOf({ token_ttl: "20m", token_explicit_max_ttl: "30m" });
    await change({ token_ttl: "1h", token_explicit_max_ttl: 0 });
    expect((await lookUp(token)).data).toMatchObject({ explicit_max_ttl: 1800 });
    expect(leaseOf(await renew(token))).toBeLessThanOrEqual(1800);
    bench.advance(1810);
    expect(await isAlive(token)).toBe(false);
  });

  // @covers jwt: Token fields of a role > token_no_default_policy
  // @covers beyond: Answer of a login > token_policies
  it("token_no_default_policy: leaves the default policy out", async () => {
    await bench.role({ token_policies: "a", token_no_default_policy: true });
    expect((await bench.login()).auth).toMatchObject({ policies: ["a"], token_policies: ["a"] });
    await bench.role({ token_no_default_policy: true });
    const { auth } = await bench.login();
    expect([auth?.["policies"], Object.hasOwn(auth ?? {}, "token_policies")]).toEqual([[], false]);
  });

  // @covers jwt: Token fields of a role > token_num_uses
  // @covers jwt: Limits > token_num_uses of 0
  // @covers beyond: Answer of a login > num_uses
  it("token_num_uses: counts every use, and 0 none", async () => {
    const token = await bench.tokenOf({ token_num_uses: 3 });
    const usesOf = async () => (await lookUp(token)).data?.["num_uses"];
    expect([await usesOf(), (await renew(token)).status, await usesOf()]).toEqual([2, 200, -1]);
    expect(errorOf(await lookUp(token))).toEqual(invalid);
    const unlimited = await bench.tokenOf({ token_num_uses: 0 });
    for (let use = 0; use < 5; use += 1) expect(await isAlive(unlimited)).toBe(true);
  });

  // @covers jwt: Token fields of a role > token_num_uses
  it("token_num_uses: must be 0 for a token that creates others", async () => {
    const policy = 'path "auth/token/create" { capabilities = ["update"] }';
    await bench.ask("POST sys/policies/acl/parent", { policy });
    const create = async (fields: Record<string, unknown>) => {
      const token = await bench.tokenOf({ token_policies: "parent", ...fields });
      return errorOf(await bench.ask("POST auth/token/create", { policies: ["default"] }, as(token)));
    };
    expect(await create({ token_num_uses: 3 })).toEqual([400, "restricted use token cannot generate child tokens"]);
    expect(await create({ token_num_uses: 0 })).toEqual([200, undefined]);
  });

  // @covers jwt: Token fields of a role > token_period
  it("token_period: renews for ever, as long as it happens in time", async () => {
    const token = await bench.tokenOf({ token_period: "1h", token_ttl: "10m" });
    for (let day = 0; day < 1000; day += 100) {
      bench.advance(hour - 60);
      expect(leaseOf(await renew(token, { increment: "5h" }))).toBe(hour);
    }
    bench.advance(hour + 1);
    expect(await isAlive(token)).toBe(false);
  });

  // @covers jwt: Token fields of a role > token_explicit_max_ttl
  // @covers beyond: Answer of a login > lease_duration
  it("token_period: goes beyond the mount's maximum, one that is explicit ends it", async () => {
    const token = await bench.tokenOf({ token_period: "700h" });
    const capped = await bench.tokenOf({ token_period: "700h", token_explicit_max_ttl: "1000h" });
    bench.advance(600 * hour);
    expect(leaseOf(await renew(capped))).toBeLessThanOrEqual(400 * hour);
    await change({ token_period: "700h" });
    expect(leaseOf(await renew(token))).toBe(700 * hour);
    bench.advance(401 * hour);
    expect([await isAlive(token), await isAlive(capped)]).toEqual([true, false]);
  });

  // @covers jwt: Token fields of a role > token_type
  // @covers beyond: Answer of a login > renewable
  // @covers beyond: Answer of a login > token_type
  // @covers beyond: Mounts > token_type
  it.each([
    ["service", "", "service", /^hvs\./],
    ["batch", "", "batch", /^hvb\./],
    ["default", "", "service", /^hvs\./],
    ["default", "default-batch", "batch", /^hvb\./],
    ["service", "default-batch", "service", /^hvs\./],
    ["batch", "default-service", "batch", /^hvb\./],
    ["service", "batch", "batch", /^hvb\./],
    ["batch", "service", "service", /^hvs\./],
  ])("token_type: %s on a mount of type '%s' is a %s token", async (ofRole, ofMount, type, id) => {
    await bench.ask("POST sys/auth/jwt/tune", { token_type: ofMount || "default-service" });
    const token = await bench.tokenOf({ token_type: ofRole });
    await bench.ask("POST sys/auth/jwt/tune", { token_type: "default-service" });
    expect(token).toMatch(id);
    const isBatch = type === "batch";
    const accessor = isBatch ? "" : expect.stringMatching(/^\w{24}$/);
    expect((await lookUp(token)).data).toMatchObject({ type, renewable: !isBatch, orphan: true, accessor });
    const cannot = [400, "batch tokens cannot be renewed"];
    expect(errorOf(await renew(token))).toEqual(isBatch ? cannot : [200, undefined]);
  });
});

describe("the token of a login", () => {
  // @covers jwt: What the service does > login against a role
  // @covers beyond: Answer of a login > client_token
  it("answers the auth block, and names no mount type", async () => {
    await bench.role({ token_ttl: "1h", token_num_uses: 4 });
    const answer = await bench.login();
    expect(JSON.parse(answer.text)).toMatchObject({ mount_type: "", data: null, lease_duration: 0, warnings: null });
    expect(answer.auth).toEqual({
      client_token: expect.stringMatching(/^hvs\.\w{24}$/),
      accessor: expect.stringMatching(/^\w{24}$/),
      policies: ["default"],
      token_policies: ["default"],
      metadata: { role: "role" },
      lease_duration: hour,
      renewable: true,
      entity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token_type: "service",
      orphan: true,
      mfa_requirement: null,
      num_uses: 4,
    });
  });

  it("warns of fields that it does not know", async () => {
    await bench.role();
    const body = { role: "role", jwt: await bench.jwt(), odd: 1 };
    const { warnings } = await bench.ask("POST auth/jwt/login", body, { token: "not a token" });
    expect(warnings).toEqual(["Endpoint ignored these unrecognized parameters: [odd]"]);
  });

  // @covers beyond: Answer of a login > accessor
  it("is found by its accessor and revokes itself", async () => {
    await bench.role();
    const { auth } = await bench.login();
    const token = String(auth?.["client_token"]);
    const { data } = await bench.ask("POST auth/token/lookup-accessor", { accessor: auth?.["accessor"] });
    expect(data).toMatchObject({ display_name: "jwt-alice", entity_id: auth?.["entity_id"], path: "auth/jwt/login" });
    expect((await bench.ask("POST auth/token/revoke-self", undefined, as(token))).status).toBe(204);
    expect(errorOf(await lookUp(token))).toEqual(invalid);
  });

  it("is not renewed without its role", async () => {
    const token = await bench.tokenOf();
    await bench.ask("DELETE auth/jwt/role/role");
    const text = "failed to renew entry: role role does not exist during renewal";
    expect(errorOf(await renew(token))).toEqual([500, `1 error occurred:\n\t* ${text}\n\n`]);
    expect(await isAlive(token)).toBe(true);
  });

  it("ends with its parent's end, where a token of a login created it", async () => {
    const policy = 'path "auth/token/create" { capabilities = ["update"] }';
    await bench.ask("POST sys/policies/acl/parent", { policy });
    const parent = await bench.tokenOf({ token_policies: "parent", token_ttl: "10m" });
    const { auth } = await bench.ask("POST auth/token/create", { policies: ["default"] }, as(parent));
    const child = String(auth?.["client_token"]);
    expect((await lookUp(child)).data?.["entity_id"]).toEqual((await lookUp(parent)).data?.["entity_id"]);
    bench.advance(610);
    expect([await isAlive(parent), await isAlive(child)]).toEqual([false, false]);
  });

  it("ends when its mount is disabled or moved", async () => {
    for (const end of ["DELETE sys/auth/jwt", "POST sys/remount"]) {
      const own = await startLoginBench();
      const token = await own.tokenOf();
      expect((await own.ask("GET auth/token/lookup-self", undefined, as(token))).status).toBe(200);
      const { status } = await own.ask(end, { from: "auth/jwt", to: "auth/moved" });
      expect(status).toBeLessThan(300);
      expect(errorOf(await own.ask("GET auth/token/lookup-self", undefined, as(token)))).toEqual(invalid);
    }
  });
});
