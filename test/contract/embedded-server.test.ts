// @servers embedded

import { randomBytes } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { type Running, startServers } from "../../server/serve.ts";
import { hostNames, hosts } from "../support/contract-host.ts";
import { createStack } from "../support/contract-stack.ts";
import { terraformCore } from "../support/terraform-core.ts";

/** The embedded server's own faults, log and seal, as the provider meets them without the suite's proxy between. */
async function started(retries: number) {
  const server = await startServers();
  const variable = `TRUSTPLANE_CONTRACT_${randomBytes(6).toString("hex")}`;
  process.env[variable] = server.secrets.token;
  onTestFinished(async () => {
    delete process.env[variable];
    await server.close();
  });
  const entry = { address: server.secrets.address, tokenEnv: variable, maxRetries: retries };
  return { server, config: { secrets: JSON.stringify(entry) } };
}

const args = { name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

it.each(hostNames)("a scripted 503 is repeated until it is over, through the %s host", async (name) => {
  const { server, config } = await started(4);
  await script(server, "POST auth/jwt/role/* 503 retry-after=0 x2");
  const host = hosts[name]({ resource: "jwtRole", config });
  const stack = createStack(host);
  expect(await stack.up(args)).toBe("create");
  const statuses = server.log.all().map(({ method, path, status }) => `${method} ${path} ${status}`);
  expect(statuses.filter((line) => line.startsWith("POST"))).toEqual([
    "POST /v1/auth/jwt/role/ci 503",
    "POST /v1/auth/jwt/role/ci 503",
    "POST /v1/auth/jwt/role/ci 204",
  ]);
  expect(host.log().join()).toMatch(/status 503; trying/);
});

it.each(hostNames)(
  "what a cut connection had done already is completed by the next run, through the %s host",
  async (name) => {
    const { server, config } = await started(0);
    await script(server, "POST auth/jwt/role/* cut after x1");
    const stack = createStack(hosts[name]({ resource: "jwtRole", config }));
    await expect(stack.up(args)).rejects.toThrow(
      /^creating (jwt\.Role|trustplane_jwt_role) "ci": the record is stored.*no answer from /,
    );
    expect(Object.keys(server.records().secrets)).toContain("auth/jwt/role/ci");
    stack.untaint();
    expect(await stack.up(args)).toBe("update");
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  },
);

it.each(hostNames)(
  "a sealed server is an error that says so, and nothing is lost, through the %s host",
  async (name) => {
    const { server, config } = await started(0);
    const stack = createStack(hosts[name]({ resource: "jwtRole", config }));
    await stack.up(args);
    const before = stack.entry();
    server.seal();
    const isRefused = async (sealed: RegExp) => {
      await expect(stack.refresh()).rejects.toThrow(sealed);
      await expect(stack.up({ ...args, tokenTtl: "1h" })).rejects.toThrow(sealed);
      await expect(stack.destroy()).rejects.toThrow(sealed);
      expect(stack.entry()).toEqual(before);
    };
    // Each command of the CLI asks anew which server it is.
    if (terraformCore !== "cli") await isRefused(/503 Vault is sealed.*Unseal the server and run again/);
    // A connection that no other run has: it asks, too.
    const another = JSON.stringify({ ...JSON.parse(config.secrets), timeoutSeconds: 9 });
    stack.restart(hosts[name]({ resource: "jwtRole", config: { secrets: another } }));
    await isRefused(/did not say whether it is the one .*: it is sealed .*\. Unseal the server and run again\.$/);
    server.unseal();
    // Who was told nothing asks again only after a while.
    stack.restart(hosts[name]({ resource: "jwtRole", config }));
    expect(await stack.refresh()).toBe(true);
    await stack.destroy();
    expect(Object.keys(server.records().secrets)).not.toContain("auth/jwt/role/ci");
  },
);

// @covers jwt: Endpoints > POST auth/{mount}/login
it("a token that issues something is never asked for twice by one run", async () => {
  const { server, config } = await started(4);
  const variable = `TRUSTPLANE_CONTRACT_${randomBytes(6).toString("hex")}`;
  process.env[variable] = server.cluster.token;
  onTestFinished(() => {
    delete process.env[variable];
  });
  const cluster = JSON.stringify({ address: server.cluster.address, tokenEnv: variable, maxRetries: 4 });
  await script(server, "POST v1/peering/token 503 after x1 service=cluster");
  const stack = createStack(hosts.engine({ resource: "clusterPeeringToken", config: { ...config, cluster } }));
  await expect(stack.up({ peerName: "east" })).rejects.toThrow(/503/);
  expect(server.log.all().filter(({ method }) => method === "POST")).toHaveLength(1);
});

async function script({ admin }: Running, spec: string): Promise<void> {
  const headers = { authorization: `Bearer ${admin.token}` };
  const answer = await fetch(`${admin.address}/faults`, { method: "POST", headers, body: JSON.stringify({ spec }) });
  expect(answer.status).toBe(201);
}
