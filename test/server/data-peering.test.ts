import { describe, expect, it } from "vitest";
import { startServers } from "../../server/serve";
import { serveSockets } from "../support/loopback-server";
import { decode, encode, polling } from "./cluster-harness";
import { killedNow, type LastingServer, lastingPorts, startLasting } from "./data-harness";

/** Fast where a real cluster takes its time. */
const pace = { peeringRedialMs: 5, peeringHeartbeatMs: 50 };

const stateOf = async ({ ok }: LastingServer, name: string) =>
  (await ok<{ State: string }>("cluster", `GET /v1/peering/${name}`)).State;

/** Again where its peer looks for it. */
const again = (server: LastingServer) => server.restart();

async function startPair() {
  const here = await startLasting({ ...pace, ports: await lastingPorts() });
  const there = await startLasting({ ...pace, datacenter: "dc2", ports: await lastingPorts() });
  const { PeeringToken } = await here.ok<{ PeeringToken: string }>("cluster", "POST /v1/peering/token", {
    PeerName: "east",
  });
  const establish = { PeerName: "west", PeeringToken };
  const states = async () => [await stateOf(here, "east"), await stateOf(there, "west")];
  return { here, there, establish, states };
}

async function startPeered() {
  const pair = await startPair();
  await pair.there.ok("cluster", "POST /v1/peering/establish", pair.establish);
  await expect.poll(pair.states, polling).toEqual(["ACTIVE", "ACTIVE"]);
  return pair;
}

describe("a peering whose cluster starts again on its data", () => {
  it.each(["here", "there"] as const)("is ACTIVE again, whichever cluster it was: %s", async (which) => {
    const pair = await startPeered();
    await again(pair[which]);
    await expect.poll(pair.states, polling).toEqual(["ACTIVE", "ACTIVE"]);
  });

  it("is ACTIVE again when both were down", async () => {
    const pair = await startPeered();
    await Promise.all([again(pair.here), again(pair.there)]);
    await expect.poll(pair.states, polling).toEqual(["ACTIVE", "ACTIVE"]);
  });

  it("can still be established with a token from before, once", async () => {
    const { here, there, establish, states } = await startPair();
    await again(here);
    await there.ok("cluster", "POST /v1/peering/establish", establish);
    await expect.poll(states, polling).toEqual(["ACTIVE", "ACTIVE"]);
    await again(here);
    const third = await startLasting({ ...pace, datacenter: "dc3" });
    await expect(third.ok("cluster", "POST /v1/peering/establish", establish)).rejects.toThrow(
      "a new peering token must be generated",
    );
  });

  it("is gone after the start when its deletion was under way", async () => {
    const server = await startLasting({ peeringDeleteDelayMs: 600_000 });
    await server.ok("cluster", "POST /v1/peering/token", { PeerName: "east" });
    await server.ok("cluster", "DELETE /v1/peering/east");
    expect(await stateOf(server, "east")).toBe("DELETING");
    await server.restart();
    expect(await stateOf(server, "east")).toBe("DELETING");
    await server.restart({ peeringDeleteDelayMs: 1 });
    await expect.poll(() => server.ok("cluster", "GET /v1/peerings"), polling).toEqual([]);
  });

  it("has an index that goes on, so that who waits for a change is not answered before it", async () => {
    const server = await startLasting({ peeringDeleteDelayMs: 0 });
    const index = async () => {
      const { address, token } = server.running().cluster;
      const answer = await fetch(`${address}/v1/peerings`, { headers: { "x-consul-token": token } });
      return Number(answer.headers.get("x-consul-index"));
    };
    for (const PeerName of ["a", "b"]) await server.ok("cluster", "POST /v1/peering/token", { PeerName });
    await server.ok("cluster", "DELETE /v1/peering/a");
    const before = await index();
    await server.restart();
    expect(await index()).toBe(before);
    await server.ok("cluster", "POST /v1/peering/token", { PeerName: "c" });
    expect(await index()).toBe(before + 1);
  });

  it("still has its ACL tokens and their rights", async () => {
    const server = await startLasting();
    await server.ok("cluster", "PUT /v1/acl/policy", { Name: "reads", Rules: 'peering = "read"' });
    const { SecretID } = await server.ok<{ SecretID: string }>("cluster", "PUT /v1/acl/token", {
      Policies: [{ Name: "reads" }],
    });
    await server.restart();
    const { address } = server.running().cluster;
    const ask = (method: string, path: string) =>
      fetch(address + path, { method, headers: { "x-consul-token": SecretID } }).then(({ status }) => status);
    expect([await ask("GET", "/v1/peerings"), await ask("DELETE", "/v1/peering/x")]).toEqual([200, 403]);
  });
});

describe("an establishment that waits for the other cluster", () => {
  it("is not kept half, though what others did meanwhile is", async () => {
    const { here, there, establish } = await startPair();
    const silent = await serveSockets(() => undefined);
    const token = decode(establish.PeeringToken);
    const PeeringToken = encode({ ...token, ServerAddresses: [new URL(silent.origin).host] });
    const waiting = there.ok("cluster", "POST /v1/peering/establish", { ...establish, PeeringToken });
    waiting.catch(() => "it ends with the server");
    // In memory it has begun.
    await expect.poll(() => stateOf(there, "west").catch(String), polling).toBe("PENDING");
    await there.ok("cluster", "POST /v1/peering/token", { PeerName: "other" });

    const left = await startServers({ data: killedNow(there.file) });
    expect(Object.keys(left.records().cluster)).toEqual(["peering/other"]);
    await left.close();
    await here.end();
  });
});
