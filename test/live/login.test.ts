import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { createEngine, type Engine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { type LiveConsul, type LiveVault, startLiveConsul, startLiveVault } from "../../tools/live/live-servers.mts";
import { type RawApi, rawApi } from "../support/contract-raw.ts";
import { jobKeyPem, jobToken, setVariable } from "../support/jwt-logins.ts";

const role: Definition = definitions.jwtRole;
const peeringToken: Definition = definitions.clusterPeeringToken;
const inputs = { mount: "jwt", name: "app", roleType: "jwt", userClaim: "sub", boundSubject: "app" };

function engineWith(config: Readonly<Record<string, object>>): { engine: Engine; lines: string[] } {
  const lines: string[] = [];
  const log = (level: string, message: string) => void lines.push(`${level}: ${message}`);
  const texts = Object.fromEntries(Object.entries(config).map(([key, entry]) => [key, JSON.stringify(entry)]));
  return { engine: createEngine({ config: (key) => texts[key], env: process.env, log }), lines };
}

describe("AppRole on a real Vault", () => {
  let vault: LiveVault;
  let raw: RawApi;
  let roleId: string;

  beforeAll(async () => {
    vault = await startLiveVault("1.21");
    raw = rawApi("secrets", vault);
    await raw.call("POST sys/auth/jwt", { type: "jwt" });
    await raw.call("POST sys/auth/approle", { type: "approle" });
    const policy = 'path "auth/jwt/*" { capabilities = ["create", "read", "update", "delete", "list"] }';
    await raw.call("POST sys/policies/acl/ci", { policy });
    await raw.call("POST auth/approle/role/ci", { token_policies: ["ci"], token_ttl: "1m" });
    roleId = ((await raw.call("GET auth/approle/role/ci/role-id")) as { data: { role_id: string } }).data.role_id;
  });
  afterAll(() => vault.close());

  const login = (more: object) =>
    engineWith({ secrets: { address: vault.address, login: { method: "approle", roleId, ...more } } });
  const secretId = async (): Promise<string> => {
    const answer = (await raw.call("POST auth/approle/role/ci/secret-id")) as { data: { secret_id: string } };
    return answer.data.secret_id;
  };
  const tokens = async () => {
    const answer = (await raw.call("LIST auth/token/accessors")) as { data: { keys: string[] } };
    return answer.data.keys.length;
  };

  it("logs in with a secret ID from a variable, and leaves no token behind", async () => {
    const before = await tokens();
    const { engine } = login({ secretIdEnv: setVariable("CI_SECRET_ID", await secretId()) });
    const { id, state } = await engine.create(role, inputs);
    expect(await tokens()).toBe(before + 1);
    await engine.delete(role, id, state);
    await engine.end();
    expect(await tokens()).toBe(before);
  });

  it("unwraps a wrapped secret ID once, and logs in again with what was in it", async () => {
    const answer = await fetch(`${vault.address}/v1/auth/approle/role/ci/secret-id`, {
      method: "POST",
      headers: { "x-vault-token": vault.token, "x-vault-wrap-ttl": "60s" },
    });
    const { wrap_info: wrapped } = (await answer.json()) as { wrap_info: { token: string } };
    const folder = mkdtempSync(join(tmpdir(), "trustplane-login-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const secretIdFile = join(folder, "wrapped");
    writeFileSync(secretIdFile, `${wrapped.token}\n`);
    const { engine } = login({ secretIdFile, secretIdWrapped: true });
    await engine.create(role, { ...inputs, name: "wrapped" });
    await engine.end();
    await engine.create(role, { ...inputs, name: "again" });
    await engine.end();
  });

  it("a secret ID that the server does not know is an error that shows neither half", async () => {
    const { engine, lines } = login({
      secretIdEnv: setVariable("CI_SECRET_ID", "2f1d7b2e-0000-4444-9999-b5a1c54d0f3e"),
    });
    const message = await engine.create(role, inputs).then(String, (error: Error) => error.message);
    expect(message).toMatch(
      /^creating jwt.Role "app": the login of connection "secrets" by approle: 400 invalid role or secret ID \(POST auth\/approle\/login\)/,
    );
    expect(message + lines.join()).not.toContain("b5a1c54d0f3e");
  });
});

describe("Consul's own JWT login", () => {
  let consul: LiveConsul;
  let raw: RawApi;

  beforeAll(async () => {
    consul = await startLiveConsul({ datacenter: "login" });
    raw = rawApi("cluster", consul);
    const config = { JWTValidationPubKeys: [jobKeyPem], BoundAudiences: ["trustplane"], JWTSupportedAlgs: ["ES256"] };
    await raw.call("PUT acl/auth-method", { Name: "ci", Type: "jwt", Config: config });
    await raw.call("PUT acl/policy", { Name: "peering", Rules: 'peering = "write"' });
    await raw.call("PUT acl/role", { Name: "ci", Policies: [{ Name: "peering" }] });
    await raw.call("PUT acl/binding-rule", { AuthMethod: "ci", BindType: "role", BindName: "ci" });
  });
  afterAll(() => consul.close());

  const tokens = async () => ((await raw.call("GET acl/tokens")) as unknown[]).length;

  it("logs in, does its work and logs out", async () => {
    const before = await tokens();
    const jwtEnv = setVariable("JOB_TOKEN", await jobToken());
    const { engine } = engineWith({
      cluster: { address: consul.address, login: { method: "jwt", mount: "ci", jwtEnv } },
    });
    const { id, state } = await engine.create(peeringToken, { peerName: "west" });
    expect(await tokens()).toBe(before + 1);
    await engine.delete(peeringToken, id, state);
    await engine.end();
    expect(await tokens()).toBe(before);
  });

  it("says what the JWT says where Consul refuses it", async () => {
    const jwtEnv = setVariable("JOB_TOKEN", await jobToken({ aud: "somebody-else" }));
    const { engine } = engineWith({
      cluster: { address: consul.address, login: { method: "jwt", mount: "ci", jwtEnv } },
    });
    await expect(engine.create(peeringToken, { peerName: "west" })).rejects.toThrow(
      /the login of connection "cluster" by jwt: \d+ .*The JWT of JOB_TOKEN says issuer .*, audience "somebody-else"/,
    );
  });
});
