import { describe, expect, it } from "vitest";
import { createDeletionPace } from "../../server/cluster/deletion-pace";
import { decode, expectStates, openCluster, openPair, openPeered, polling, uuid } from "./cluster-harness";

const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The states of reference cluster B.10; document 2 names none but what deletion does. */
describe("the state of a peering", () => {
  it("is PENDING on the acceptor until the other cluster comes", async () => {
    const { here } = await openPair();
    expect(await here.read("east")).toMatchObject({ State: "PENDING", Remote: { Datacenter: "" } });
  });

  // @covers peering: Fields of the stored record > State
  it("is ESTABLISHING on the dialer between the exchange and the stream, and then ACTIVE on both sides", async () => {
    const { here, there, token } = await openPair();
    const seen: string[] = [];
    const answer = there.establish("west", token);
    for (let isAnswered = false; !isAnswered; ) {
      isAnswered = (await Promise.race([answer, new Promise((resolve) => setImmediate(resolve))])) !== undefined;
      const state = (await there.read("west")).State ?? "none";
      if (state !== seen.at(-1)) seen.push(state);
    }
    expect(await answer).toMatchObject({ status: 200, text: "{}" });
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
    expect([...seen, "ACTIVE"].join()).toMatch(/^(none,)?PENDING,ESTABLISHING,/);
  });

  it("ACTIVE shows in lists too", async () => {
    const { here, there } = await openPeered();
    for (const { call } of [here, there]) {
      expect(JSON.parse((await call("GET /v1/peerings")).text)).toMatchObject([{ State: "ACTIVE" }]);
    }
  });

  // @covers peering: States > other states
  it("is TERMINATED where the other side has deleted its record, whichever side that is", async () => {
    for (const side of ["here", "there"] as const) {
      const pair = await openPeered();
      const [name, other, otherName] = side === "here" ? ["east", pair.there, "west"] : ["west", pair.here, "east"];
      await pair[side].call(`DELETE /v1/peering/${name}`);
      await expect.poll(() => other.stateOf(String(otherName)), polling).toBe("TERMINATED");
      expect((await pair[side].call(`GET /v1/peering/${name}`)).status).toBe(404);
      expect(await other.read(String(otherName))).toMatchObject({ StreamStatus: { LastReceive: expect.any(String) } });
    }
  });

  it("TERMINATED ends with a deletion of its own", async () => {
    const { here, there } = await openPeered();
    await there.call("DELETE /v1/peering/west");
    await expect.poll(() => here.stateOf("east"), polling).toBe("TERMINATED");
    expect((await here.call("DELETE /v1/peering/east")).status).toBe(200);
    await expect.poll(async () => (await here.call("GET /v1/peering/east")).status, polling).toBe(404);
  });

  it("TERMINATED on the dialer becomes ACTIVE again with a token of a new acceptor", async () => {
    const { here, there } = await openPeered();
    await here.call("DELETE /v1/peering/east");
    await expect.poll(() => there.stateOf("west"), polling).toBe("TERMINATED");
    const before = await there.read("west");
    await there.establish("west", await here.generate({ PeerName: "east" }));
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
    const after = await there.read("west");
    expect([after.ID, after.CreateIndex]).toEqual([before.ID, before.CreateIndex]);
    expect(after.PeerID).not.toBe(before.PeerID);
  });

  it("TERMINATED on the acceptor stays: another token is answered, and is of no use", async () => {
    const { here, there } = await openPeered();
    await there.call("DELETE /v1/peering/west");
    await expect.poll(() => here.stateOf("east"), polling).toBe("TERMINATED");
    const before = await here.read("east");
    expect(await there.establish("west", await here.generate({ PeerName: "east" }))).toMatchObject({ status: 403 });
    expect(await here.read("east")).toEqual(before);
    expect(await there.stateOf("west")).toBe("PENDING");
  });
});

// Document 2, States and transitions.
describe("a peering that is deleted", () => {
  // @covers peering: States > marked for deletion
  it("is marked, while its stream is up reads as ACTIVE with DeletedAt, and is removed in the background", async () => {
    const { here, there } = await openPeered({ here: { deleteDelayMs: 500 } });
    await here.call("DELETE /v1/peering/east");
    expect(await here.read("east")).toMatchObject({ State: "ACTIVE", DeletedAt: expect.stringMatching(time) });
    // The other side hears of it only when the record is gone.
    expect(await there.stateOf("west")).toBe("ACTIVE");
    await expect.poll(async () => (await here.call("GET /v1/peering/east")).status, polling).toBe(404);
    await expect.poll(() => there.stateOf("west"), polling).toBe("TERMINATED");
  });

  // @covers peering: States > marked for deletion
  it("is DELETING where no stream is up, and still read", async () => {
    const { here } = await openPair({ here: { deleteDelayMs: 60_000 } });
    await here.call("DELETE /v1/peering/east");
    expect(await here.read("east")).toMatchObject({ State: "DELETING", DeletedAt: expect.stringMatching(time) });
    expect(JSON.parse((await here.call("GET /v1/peerings")).text)).toHaveLength(1);
  });

  it("goes away whole when both sides are deleted at once", async () => {
    const { here, there } = await openPeered({ here: { deleteDelayMs: 20 }, there: { deleteDelayMs: 20 } });
    await Promise.all([here.call("DELETE /v1/peering/east"), there.call("DELETE /v1/peering/west")]);
    const statuses = async () => [
      (await here.call("GET /v1/peering/east")).status,
      (await there.call("GET /v1/peering/west")).status,
    ];
    await expect.poll(statuses, polling).toEqual([404, 404]);
  });

  it("is not removed any more once its cluster has closed", async () => {
    const { here } = await openPair({ here: { deleteDelayMs: 1 } });
    await here.call("DELETE /v1/peering/east");
    await here.close();
    expect(Object.keys(here.service.records())).toEqual(["peering/east"]);
  });
});

// Reference B.7: the fields that a connection fills.
describe("the record of a connected peering", () => {
  // @covers peering: Fields of the stored record > PeerID
  // @covers peering: Fields of the stored record > Remote
  it("shows the dialer's datacenter and CA on the acceptor, and nothing else of it", async () => {
    const { here, there } = await openPeered();
    const { Roots } = JSON.parse((await there.call("GET /v1/connect/ca/roots")).text);
    const record = await here.read("east");
    expect(record).toEqual({
      ID: expect.stringMatching(uuid),
      Name: "east",
      State: "ACTIVE",
      PeerCAPems: [Roots[0].RootCert],
      StreamStatus: record.StreamStatus,
      CreateIndex: expect.any(Number),
      ModifyIndex: expect.any(Number),
      Remote: { Partition: "", Datacenter: "dc2" },
    });
    expect(record.ModifyIndex).toBeGreaterThan(record.CreateIndex);
  });

  // @covers peering: Fields of the stored record > PeerID
  // @covers peering: Fields of the stored record > PeerCAPems
  // @covers peering: Fields of the stored record > PeerServerName
  it("shows the acceptor's id, CA, server name, addresses and datacenter on the dialer", async () => {
    const { here, there, token } = await openPeered();
    const { CA, PeerID, ServerName } = decode(token);
    expect(await there.read("west")).toMatchObject({
      PeerID,
      PeerCAPems: CA,
      PeerServerName: ServerName,
      PeerServerAddresses: [here.address],
      Remote: { Partition: "", Datacenter: "dc1" },
    });
  });

  // @covers peering: Fields of the stored record > StreamStatus
  it("has the times of its stream, of which heartbeats move all, and no index", async () => {
    const { here, there } = await openPeered({ here: { heartbeatMs: 5 }, there: { heartbeatMs: 5 } });
    for (const [cluster, name] of [[here, "east"] as const, [there, "west"] as const]) {
      const status = async () => (await cluster.read(name)).StreamStatus;
      const { ModifyIndex } = await cluster.read(name);
      await expect.poll(async () => (await status()).LastHeartbeat, polling).toMatch(time);
      const before = await status();
      expect(before).toMatchObject({ LastReceive: expect.stringMatching(time), LastSend: expect.stringMatching(time) });
      const moved = async () => {
        const { LastHeartbeat, LastReceive, LastSend } = await status();
        return LastHeartbeat > before.LastHeartbeat && LastReceive > before.LastReceive && LastSend > before.LastSend;
      };
      await expect.poll(moved, polling).toBe(true);
      expect((await cluster.read(name)).ModifyIndex).toBe(ModifyIndex);
    }
  });

  it("has no heartbeat before the first one, which comes after 15 s", async () => {
    const { here } = await openPeered();
    expect((await here.read("east")).StreamStatus).toMatchObject({
      LastHeartbeat: null,
      LastReceive: expect.any(String),
    });
  });
});

// Document 2, Endpoints: reading and listing block, reference B.11.
describe("a blocking query", () => {
  it("wakes up when the other cluster comes, when its record is ended, and when it goes", async () => {
    const { here, there, token } = await openPair();
    const changed = async (path: string, change: () => Promise<unknown>) => {
      const index = (await here.call(`GET ${path}`)).headers.get("x-consul-index");
      const waiting = here.call(`GET ${path}?index=${index}&wait=10s`);
      await change();
      return JSON.parse((await waiting).text);
    };
    const come = () => there.establish("west", token);
    expect(await changed("/v1/peering/east", come)).toMatchObject({ Remote: { Datacenter: "dc2" } });

    const end = () => there.call("DELETE /v1/peering/west");
    expect(await changed("/v1/peering/east", end)).toMatchObject({ State: "TERMINATED" });

    const go = () => here.call("DELETE /v1/peering/east");
    expect(await changed("/v1/peerings", go)).toMatchObject([{ State: "DELETING" }]);
    await expect.poll(async () => (await here.call("GET /v1/peerings")).text, polling).toBe("[]");
  });

  // @covers peering: Endpoints > blocking queries
  it("sleeps through heartbeats and a lost stream, and answers with what it saw when it began", async () => {
    const { here, there } = await openPeered({ here: { heartbeatMs: 1 } });
    const { ModifyIndex } = await here.read("east");
    const waiting = here.call(`GET /v1/peering/east?index=${ModifyIndex}&wait=150ms`);
    await there.close();
    await expect.poll(() => here.stateOf("east"), polling).toBe("FAILING");
    expect(JSON.parse((await waiting).text)).toMatchObject({ State: "ACTIVE", ModifyIndex });
  });
});

it("a cluster with several peers keeps their states apart", async () => {
  const { here, there } = await openPeered();
  const third = await openCluster({ datacenter: "dc3" });
  await third.establish("hub", await here.generate({ PeerName: "third" }));
  await expect.poll(() => here.stateOf("third"), polling).toBe("ACTIVE");
  await third.close();
  await expect.poll(() => here.stateOf("third"), polling).toBe("FAILING");
  await expectStates({ here, there }, "ACTIVE", "ACTIVE");
});

it("deleted peerings are removed at once up to ten, then ten in a second", () => {
  let nowMs = 0;
  const delay = createDeletionPace(() => nowMs);
  const delays = (count: number) => Array.from({ length: count }, delay);
  expect(delays(12)).toEqual([...Array(10).fill(0), 100, 200]);
  nowMs = 1_200;
  expect(delays(11)).toEqual([...Array(10).fill(0), 100]);
});
