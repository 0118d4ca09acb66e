import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ClusterServiceOptions } from "../../server/cluster/cluster-service";
import { openForwarder } from "../support/tcp-forwarder";
import { expectStates, openPair, openPeered, polling, say } from "./cluster-harness";

/** A pair that is peered by way of a forwarder. */
async function openForwarded(options: Partial<ClusterServiceOptions> = {}) {
  const pair = await openPair({ here: options, there: options });
  const forwarder = await openForwarder(pair.here.address);
  onTestFinished(() => forwarder.cut());
  const token = await pair.here.generate({ PeerName: "east", ServerExternalAddresses: [forwarder.address] });
  expect(await pair.there.establish("west", token)).toMatchObject({ status: 200 });
  await expectStates(pair, "ACTIVE", "ACTIVE");
  return { ...pair, forwarder };
}

/** Listens in the place of a forwarder, and notes when it is dialled. */
async function listenInstead(address: string) {
  const times: number[] = [];
  const server = createServer((socket) => {
    times.push(performance.now());
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(Number(address.split(":")[1]), "127.0.0.1", resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  return { times, close };
}

// Reference cluster B.10.
describe("a peering whose connection is lost", () => {
  // @covers peering: States > other states
  it("is FAILING on both sides at once, keeps its times, and is ACTIVE again when the way is free", async () => {
    const { here, there, forwarder } = await openForwarded();
    await forwarder.cut();
    await expectStates({ here, there }, "FAILING", "FAILING");
    for (const record of [await here.read("east"), await there.read("west")]) {
      expect(record.StreamStatus).toMatchObject({ LastReceive: expect.any(String), LastSend: expect.any(String) });
    }
    await forwarder.mend();
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("moves no index by that, but does when it is connected again", async () => {
    const { here, there, forwarder } = await openForwarded();
    const indexes = async () => [(await here.read("east")).ModifyIndex, (await there.read("west")).ModifyIndex];
    const before = await indexes();
    await forwarder.cut();
    await expectStates({ here, there }, "FAILING", "FAILING");
    expect(await indexes()).toEqual(before);
    await forwarder.mend();
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
    const [acceptor = 0, dialer = 0] = await indexes();
    expect([acceptor > (before[0] ?? 0), dialer > (before[1] ?? 0)]).toEqual([true, true]);
  });

  it("is FAILING when one cluster closes, whichever it is", async () => {
    const [first, second] = [await openPeered(), await openPeered()];
    await first.here.close();
    await expect.poll(() => first.there.stateOf("west"), polling).toBe("FAILING");
    await second.there.close();
    await expect.poll(() => second.here.stateOf("east"), polling).toBe("FAILING");
  });

  it("is not ACTIVE when the dialer closed while it was opening the stream", async () => {
    for (let turns = 0; turns < 12; turns++) {
      const { here, there, token } = await openPair();
      await there.establish("west", token);
      for (let left = turns; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
      await there.close();
      await expect.poll(() => here.stateOf("east"), polling).not.toBe("ACTIVE");
    }
  });

  it("is FAILING when the other side is there but says nothing any more: eight heartbeats stay away", async () => {
    // Long enough that a busy machine does not look away between the loss and the next dial.
    const { here, there, forwarder } = await openForwarded({ heartbeatMs: 5, redialMs: 200 });
    forwarder.freeze();
    await expect.poll(() => here.stateOf("east"), polling).toBe("FAILING");
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("stays ACTIVE as long as heartbeats come", async () => {
    const { here, there } = await openPeered({ here: { heartbeatMs: 5 }, there: { heartbeatMs: 5 } });
    const seen = new Set<string>();
    const end = performance.now() + 200;
    while (performance.now() < end) seen.add(`${await here.stateOf("east")} ${await there.stateOf("west")}`);
    expect([...seen]).toEqual(["ACTIVE ACTIVE"]);
  });

  it("is dialled again after pauses that double", async () => {
    const { forwarder } = await openForwarded({ redialMs: 20 });
    await forwarder.cut();
    const { times } = await listenInstead(forwarder.address);
    await expect.poll(() => times.length, polling).toBeGreaterThan(3);
    const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    // The first of these was the second at the latest; a timer can be late, but a millisecond early at most.
    expect(pauses[0]).toBeGreaterThan(38);
    expect(pauses[1]).toBeGreaterThan(78);
  });

  it("is dialled after short pauses again, once it was connected in between", async () => {
    const { here, there, forwarder } = await openForwarded();
    await forwarder.cut();
    const long = await listenInstead(forwarder.address);
    await expect.poll(() => long.times.length, polling).toBeGreaterThan(8);
    await long.close();
    await forwarder.mend();
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
    await forwarder.cut();
    const begin = performance.now();
    const { times } = await listenInstead(forwarder.address);
    await expect.poll(() => times.length, polling).toBeGreaterThan(1);
    // Half a second at least, had the pauses gone on growing.
    expect((times[1] ?? 0) - begin).toBeLessThan(400);
  });

  it("is dialled at once when it is established again", async () => {
    const { here, there } = await openForwarded({ redialMs: 60_000 }).then(async (pair) => {
      await pair.forwarder.cut();
      await expectStates(pair, "FAILING", "FAILING");
      return pair;
    });
    // The dialer waits for a minute now.
    await there.establish("west", await here.generate({ PeerName: "east" }));
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("is not told that the other side has gone meanwhile: it reads FAILING for good", async () => {
    const { here, there, forwarder } = await openForwarded({ deleteDelayMs: 0 });
    await forwarder.cut();
    await expectStates({ here, there }, "FAILING", "FAILING");
    await here.call("DELETE /v1/peering/east");
    await forwarder.mend();
    const before = forwarder.taken();
    await expect.poll(() => forwarder.taken(), polling).toBeGreaterThan(before + 2);
    expect(await there.stateOf("west")).toBe("FAILING");
  });

  it("is not dialled any more once the dialer is deleted", async () => {
    const { here, there, forwarder } = await openForwarded({ deleteDelayMs: 0 });
    await forwarder.cut();
    await expectStates({ here, there }, "FAILING", "FAILING");
    await there.call("DELETE /v1/peering/west");
    await forwarder.mend();
    const before = forwarder.taken();
    // What the pauses of a dialer that is still at it would be many times over.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(forwarder.taken() - before).toBeLessThan(2);
    expect(await here.stateOf("east")).toBe("FAILING");
  });
});

describe("who comes in without a secret", () => {
  const tunnel = "CONNECT cluster.peering:443 HTTP/1.1\r\nhost: cluster.peering\r\n\r\n";
  const open = (peerId: string, streamSecret: string) =>
    `${JSON.stringify({ open: { peerId, streamSecret, datacenter: "dc9", caPems: [] } })}\n`;

  it.each([
    ["a secret of its own", (id: string) => open(id, "11111111-2222-3333-4444-555555555555")],
    ["no secret", (id: string) => open(id, "")],
    ["the id of nothing", () => open("11111111-2222-3333-4444-555555555555", "11111111-2222-3333-4444-555555555555")],
    ["an end that nobody asked for", () => '{"terminated":true}\n'],
    ["words that no cluster says", () => "GET / HTTP/1.1\r\n\r\n"],
    ["a line without an end", () => "x".repeat(300 * 1024)],
  ])("with %s is sent away, and changes nothing", async (_, said) => {
    const { here, there } = await openPeered();
    const { StreamStatus: _times, ...before } = await here.read("east");
    const heard = await say(here.address, tunnel + said(before.ID));
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(heard).not.toContain("opened");
    const { StreamStatus: __times, ...after } = await here.read("east");
    expect(after).toEqual(before);
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("and asks for another host gets no tunnel", async () => {
    const { here } = await openPeered();
    expect(await say(here.address, "CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 404 /,
    );
  });
});
