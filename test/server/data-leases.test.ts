import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openDataFile } from "../../server/data/data-file";
import { killedNow, type LastingServer, prepareCloud, type Shown, startLasting } from "./data-harness";

afterEach(() => void vi.useRealTimers());

/** Lets time pass while a server is down, by its own clock: nothing waits. */
function passTime(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(now + seconds * 1000);
}

const madeUsers = ({ running }: LastingServer) =>
  running()
    .cloud.users()
    .flatMap(({ name }) => (name.startsWith("vault-") ? [name] : []));

describe("tokens and leases", () => {
  it("work after the start, live as long as they were to, and end when they end", async () => {
    const server = await startLasting();
    const create = { policies: ["default"], ttl: "1h" };
    const { auth } = await server.ok<Shown>("secrets", "POST /v1/auth/token/create", create);
    const lookUp = () => lookedUp(server, auth.client_token);
    const before = await lookUp();
    passTime(1800);
    await server.restart();
    expect(await lookUp()).toEqual({ ...before, ttl: expect.closeTo(1800, -1) });
    passTime(1900);
    await server.restart();
    expect((await asked(server, auth.client_token)).status).toBe(403);
  });

  it("are forgotten at the start when they have ended, those of their makers too", async () => {
    const server = await startLasting();
    const create = (token: string, ttl: string) =>
      fetch(`${server.running().secrets.address}/v1/auth/token/create`, {
        method: "POST",
        headers: { "x-vault-token": token },
        body: JSON.stringify({ policies: ["default", "maker"], ttl }),
      }).then(async (answer) => ((await answer.json()) as Shown).auth.client_token);
    const policy = 'path "auth/token/create" { capabilities = ["update", "sudo"] }';
    await server.ok("secrets", "POST /v1/sys/policies/acl/maker", { policy });
    const maker = await create(server.running().secrets.token, "1h");
    const [child, other] = [await create(maker, "2h"), await create(server.running().secrets.token, "2h")];
    passTime(3700);
    await server.restart();
    const { keys } = (
      await server.ok<{ data: { keys: readonly string[] } }>("secrets", "LIST /v1/auth/token/accessors")
    ).data;
    // The root token's, and that of the one that lives.
    expect(keys).toHaveLength(2);
    const kept = openDataFile(killedNow(server.file));
    expect([...kept.open("secrets/tokens").keys()].sort()).toEqual([server.running().secrets.token, other].sort());
    expect([maker, child].every((token) => !kept.open("secrets/tokens").has(token))).toBe(true);
    kept.close();
  });

  it("count the uses that are left", async () => {
    const server = await startLasting();
    const { auth } = await server.ok<Shown>("secrets", "POST /v1/auth/token/create", { num_uses: 2 });
    expect((await asked(server, auth.client_token)).status).toBe(200);
    await server.restart();
    expect((await asked(server, auth.client_token)).status).toBe(200);
    await server.restart();
    expect((await asked(server, auth.client_token)).status).toBe(403);
  });

  it("know a login's entity again", async () => {
    const server = await startLasting();
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = publicKey.export({ type: "spki", format: "pem" });
    await server.ok("secrets", "POST /v1/auth/jwt/config", { jwt_validation_pubkeys: pem });
    const role = { role_type: "jwt", user_claim: "sub", bound_audiences: "trustplane" };
    await server.ok("secrets", "POST /v1/auth/jwt/role/role", role);
    const login = async () => {
      const claims = new SignJWT({ sub: "alice", aud: "trustplane" }).setIssuedAt().setExpirationTime("1h");
      const jwt = await claims.setProtectedHeader({ alg: "ES256" }).sign(privateKey);
      const { auth } = await server.ok<{ auth: { entity_id: string } }>("secrets", "POST /v1/auth/jwt/login", {
        role: "role",
        jwt,
      });
      return auth.entity_id;
    };
    const before = await login();
    await server.restart();
    expect(await login()).toBe(before);
  });

  it("that end while the server is down take their users with them at the start", async () => {
    const server = await startLasting();
    await prepareCloud(server);
    await server.ok("secrets", "POST /v1/cloud/config/lease", { lease: "1h", lease_max: "2h" });
    const { lease_id } = await server.ok<Shown>("secrets", "GET /v1/cloud/creds/maker");
    await server.restart();
    expect(madeUsers(server)).toHaveLength(1);
    await server.ok("secrets", "POST /v1/sys/leases/renew", { lease_id, increment: 7200 });
    passTime(3700);
    await server.restart();
    expect(madeUsers(server)).toHaveLength(1);
    passTime(3700);
    await server.restart();
    expect(madeUsers(server)).toEqual([]);
  });

  it("of a static role: its key is rotated at the start when that was due meanwhile", async () => {
    const server = await startLasting({ cloudUsers: ["app"] });
    await prepareCloud(server);
    await server.ok("secrets", "POST /v1/cloud/static-roles/app", { username: "app", rotation_period: "1h" });
    const key = () => server.ok<Shown>("secrets", "GET /v1/cloud/static-creds/app").then(({ data }) => data);
    const before = await key();
    await server.restart();
    expect(await key()).toEqual(before);
    passTime(3700);
    await server.restart();
    expect((await key())["access_key"]).not.toBe(before["access_key"]);
  });

  it("of a deleted key: it is not adopted as a new one", async () => {
    const server = await startLasting();
    const user = server.running().cloud.addUser("gone", { accessKeys: 1 });
    server.running().cloud.removeUser("gone");
    await server.restart();
    expect(() => server.running().cloud.callerIdentity(user.accessKeys[0])).toThrow("InvalidClientTokenId");
  });
});

async function lookedUp(server: LastingServer, token: string): Promise<object> {
  const { data } = (await (await asked(server, token)).json()) as Shown;
  return data;
}

function asked(server: LastingServer, token: string): Promise<Response> {
  const { address } = server.running().secrets;
  return fetch(`${address}/v1/auth/token/lookup-self`, { headers: { "x-vault-token": token } });
}
