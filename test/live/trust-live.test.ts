import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TrustMap } from "../../cli/map/trust-map.ts";
import { startLiveConsul, startLiveVault } from "../../tools/live/live-servers.mts";
import { run } from "../cli/drift-harness.ts";
import { asker } from "../support/vault-ask.ts";

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = String(publicKey.export({ type: "spki", format: "pem" }));
const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["vault"], token_policies: ["deploy"] };
const tests = `tests:
  - name: main deploys
    login: { mount: jobs, role: deploy, claims: { sub: ci, ref: main } }
    expect: { policies: [deploy], may: { "secret/data/deploy": [read] } }
  - name: no other branch deploys
    never: { mount: jobs, policy: deploy, unless: { ref: main } }
  - name: east reaches web
    peer: { name: east }
    expect: { services: [web] }
`;

/** A Vault with a role, and a Consul that exports a service, as other tools leave them. */
async function opened() {
  const [vault, consul] = await Promise.all([startLiveVault("1.21"), startLiveConsul({ datacenter: "dc1" })]);
  const folder = mkdtempSync(join(tmpdir(), "trustplane-live-"));
  onTestFinished(async () => {
    await Promise.all([vault.close(), consul.close()]);
    rmSync(folder, { recursive: true });
  });
  const ask = asker(vault);
  const put = async (line: string, body: object) =>
    expect(await ask(line, { body }), line).toMatchObject({ errors: "" });
  await put("PUT sys/auth/jobs", { type: "jwt" });
  await put("PUT auth/jobs/config", { jwt_validation_pubkeys: [pem], bound_issuer: "https://git.example.com" });
  await put("PUT sys/policies/acl/deploy", { policy: 'path "secret/data/deploy" { capabilities = ["read"] }' });
  const putRole = (...refs: readonly string[]) =>
    put("PUT auth/jobs/role/deploy", { ...role, bound_claims: { ref: refs } });
  await putRole("main");
  const exported = {
    Kind: "exported-services",
    Name: "default",
    Services: [{ Name: "web", Consumers: [{ Peer: "east" }] }],
  };
  const stored = await fetch(`${consul.address}/v1/config`, {
    method: "PUT",
    headers: { "x-consul-token": consul.token },
    body: JSON.stringify(exported),
  });
  expect(stored.status).toBe(200);
  writeFileSync(join(folder, "trust.yml"), tests);
  const names = [
    ...["--connection", `secrets=${vault.address},tokenEnv=REVIEW`],
    ...["--connection", `cluster=${consul.address},tokenEnv=EAST`],
  ];
  const env = { REVIEW: vault.token, EAST: consul.token };
  return {
    file: join(folder, "trust.yml"),
    putRole,
    live: (...words: string[]) => run([...words, "--live", ...names], env),
  };
}

describe("the trust of a real Vault and a real Consul", () => {
  it("is tested, explained and drawn with --live, and a wider role is found", async () => {
    const { file, putRole, live } = await opened();
    expect(await live("test", file)).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("3 passed, 0 failed"),
    });
    expect((await live("explain", "who", "--policy", "deploy")).out).toContain("Role deploy of auth/jobs");
    const map = JSON.parse((await live("map", "--json")).out) as TrustMap;
    const names = map.nodes.map(({ kind, name }) => `${kind} ${name}`);
    expect(names).toEqual(expect.arrayContaining(["role jobs/deploy", "peer east"]));

    await putRole("main", "dev");
    const wider = await live("test", file);
    expect(wider).toMatchObject({ code: 2, err: "", out: expect.stringContaining("2 passed, 1 failed") });
  });
});
