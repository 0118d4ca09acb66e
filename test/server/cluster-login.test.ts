import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createClock } from "../../server/clock";
import { setUpCluster } from "./cluster-harness";
import { startLasting } from "./data-harness";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const config = { JWTValidationPubKeys: [pem], ClaimMappings: { team: "team" } };
const method = { Name: "ci", Type: "jwt", Config: config };

function jwt(claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ iat, exp: iat + 3600, ...claims }).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
}

/** A cluster with the policy `reads` and a method. */
async function setUpLogins(fields: object = {}) {
  const clock = createClock();
  const { call } = setUpCluster({ clock: () => new Date(clock.now()) });
  await call("PUT /v1/acl/policy", { body: { Name: "reads", Rules: 'peering = "read"' } });
  await call("PUT /v1/acl/auth-method", { body: { ...method, ...fields } });
  const bind = (rule: object) => call("PUT /v1/acl/binding-rule", { body: { AuthMethod: "ci", ...rule } });
  const login = async (claims?: object) => {
    const body = { AuthMethod: "ci", BearerToken: await jwt({ ...claims }) };
    return call("POST /v1/acl/login", { body, secret: null });
  };
  const reads = async (secret: string) => (await call("GET /v1/peerings", { secret })).status;
  return { call, bind, login, reads, advance: (seconds: number) => clock.advance(seconds * 1000) };
}

describe("a login", () => {
  it("gives a token that ends with its time", async () => {
    const { bind, login, reads, advance } = await setUpLogins({ MaxTokenTTL: "2m" });
    await bind({ BindType: "policy", BindName: "reads" });
    const token = JSON.parse((await login()).text);
    expect(Date.parse(token.ExpirationTime) - Date.parse(token.CreateTime)).toBe(120_000);
    expect(await reads(token.SecretID)).toBe(200);
    advance(121);
    expect(await reads(token.SecretID)).toBe(403);
  });

  it("binds by what the JWT says", async () => {
    const { bind, login } = await setUpLogins();
    await bind({ BindType: "policy", BindName: "$\u007bvalue.team}" });
    expect(JSON.parse((await login({ team: "reads" })).text)).toMatchObject({ Policies: [{ Name: "reads" }] });
    expect(await login({ team: "others" })).toMatchObject({ status: 403, text: "Permission denied" });
    expect(await login({ team: "no name" })).toMatchObject({ status: 500, text: 'invalid bind name: "no name"' });
  });

  it("ends with its method, the rules too", async () => {
    const { call, bind, login, reads } = await setUpLogins();
    await bind({ BindType: "policy", BindName: "reads" });
    const { SecretID } = JSON.parse((await login()).text);
    await call("DELETE /v1/acl/auth-method/ci");
    expect(await reads(SecretID)).toBe(403);
    expect((await call("GET /v1/acl/binding-rules")).text).toBe("[]");
  });

  it("is the only thing that logs out", async () => {
    const { call } = await setUpLogins();
    const { SecretID } = JSON.parse((await call("PUT /v1/acl/token", { body: {} })).text);
    expect(await call("POST /v1/acl/logout", { secret: SecretID })).toMatchObject({
      status: 403,
      text: "Permission denied: token wasn't created via login",
    });
  });

  it("takes an audience only where one is bound", async () => {
    const { bind, login } = await setUpLogins();
    await bind({ BindType: "policy", BindName: "reads" });
    const text = "error validating claims: audience claim found in JWT but no audiences are bound";
    expect(await login({ aud: "trustplane" })).toMatchObject({ status: 500, text });
  });
});

it.each([
  [{ BindType: "service", BindName: "web" }, "bindings to a service are not supported by the embedded server"],
  [
    { BindType: "policy", BindName: "reads", Selector: "value.team == x" },
    "selectors of binding rules are not supported by the embedded server",
  ],
])("what is not imitated is refused: %j", async (rule, text) => {
  const { bind } = await setUpLogins();
  expect(await bind(rule)).toMatchObject({ status: 501, text });
});

it("methods, rules and the tokens of logins are there after a restart", async () => {
  const lasting = await startLasting();
  await lasting.ok("cluster", "PUT /v1/acl/policy", { Name: "reads", Rules: 'peering = "read"' });
  await lasting.ok("cluster", "PUT /v1/acl/auth-method", method);
  const rule = { AuthMethod: "ci", BindType: "policy", BindName: "reads" };
  await lasting.ok("cluster", "PUT /v1/acl/binding-rule", rule);
  await lasting.restart();
  const body = { AuthMethod: "ci", BearerToken: await jwt() };
  expect(await lasting.ok("cluster", "POST /v1/acl/login", body)).toMatchObject({ Policies: [{ Name: "reads" }] });
  await lasting.restart();
  expect(await lasting.ok("cluster", "GET /v1/acl/tokens")).toMatchObject([{ AuthMethod: "ci" }]);
});
