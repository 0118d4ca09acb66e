// @run live: attacks take long for what they find

import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { type Running, startServers } from "../../server/serve";
import { askConsul, askPolicy, askVault } from "./model-world";

const count = 100;
const sizeBytes = 40_000;

/** Text that nothing else in memory shares. */
const fresh = (bytes = sizeBytes) => randomBytes(bytes / 2).toString("hex");
const each = (work: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

type Work = (server: Running) => Promise<void>;

/** What comes and goes, each time `count` of it with 40 KB of its own. */
const works: Readonly<Record<string, Work>> = {
  "tokens that expire": async (server) => {
    const meta = () => ({ ttl: "60s", no_parent: true, meta: { text: fresh() } });
    await each(async () => expect((await askVault(server, "POST auth/token/create", meta())).status).toBe(200));
    server.clock.advance(61_000);
  },
  "roles that are deleted": async (server) => {
    await each(async (index) => {
      const role = { role_type: "jwt", user_claim: "sub", bound_subject: fresh() };
      expect((await askVault(server, `POST auth/jwt/role/r${index}`, role)).status).toBe(204);
      await askVault(server, `DELETE auth/jwt/role/r${index}`);
    });
  },
  "requests with long paths and queries": async (server) => {
    await each(() => askVault(server, `GET auth/jwt/role/${fresh()}?${fresh()}=1`));
  },
  "peerings that are deleted": async (server) => {
    const meta = () => Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`k${index}`, fresh(500)]));
    await each(async (index) => {
      const { status } = await askConsul(server, "POST peering/token", { PeerName: `p${index}`, Meta: meta() });
      expect(status).toBe(200);
      await askConsul(server, `DELETE peering/p${index}`);
    });
  },
  "parameters that are deleted": async (server) => {
    await each(async (index) => {
      const attributes = { key: `k${index}`, value: fresh(), category: "policy-set" };
      const { status, json } = await askPolicy(server, "POST parameters", attributes);
      expect(status).toBe(201);
      await askPolicy(server, `DELETE parameters/${json.data.id}`);
    });
  },
  "callers with tokens that nobody gave them": async (server) => {
    await each(async () => {
      const headers = { authorization: `Bearer ${fresh()}` };
      expect((await fetch(`${server.policy.address}/api/v2/policy-sets/x`, { headers })).status).toBe(401);
    });
  },
};

it.each(Object.entries(works))("%s leave nothing in memory", async (_name, work) => {
  const server = await startServers({ peeringDeleteDelayMs: 0 });
  try {
    // Once first: what is compiled, pooled and cached is there then.
    await work(server);
    const before = await heapBytes(server);
    for (let round = 0; round < 4; round += 1) await work(server);
    // All of it would be four times as much, and more.
    expect((await heapBytes(server)) - before).toBeLessThan(count * sizeBytes);
  } finally {
    await server.close();
  }
});

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

async function heapBytes(server: Running): Promise<number> {
  // What is due by the clock is done with the next request.
  await askVault(server, "GET sys/mounts");
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
