import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import { removePeering } from "../contract/cases/peers.ts";
import { type HostName, hostNames } from "../support/contract-host.ts";
import { type ConsulServers, startWithConsul } from "../support/contract-servers-live.ts";
import { createStack } from "../support/contract-stack.ts";
import { type ConnectionSettings, openWorld, type World } from "../support/contract-world.ts";

/** What two real clusters do over time, which the contract suite, whose records stand alone, cannot ask for. */

let servers: ConsulServers;

beforeAll(async () => {
  servers = await startWithConsul();
}, 60_000);
afterAll(() => servers.close());

/** A record, by the cluster that has it and the name that it has there. */
type Place = readonly [at: "cluster" | "peer", name: string];

describe.each(hostNames)("through the %s host", (host) => {
  it("a token and the peering made with it become ACTIVE, which is no change, and go away whole", async () => {
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves(host);
    await tokens.up(issuing);
    await expectState(world, "PENDING", acceptor);

    await peerings.up(taking());
    await expectState(world, "ACTIVE", acceptor, dialer);

    for (const [stack, args] of [[tokens, issuing] as const, [peerings, taking()] as const]) {
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    }
    await peerings.destroy();
    await tokens.destroy();
    await expectState(world, undefined, acceptor, dialer);
  });

  it("a pair becomes ACTIVE, which is no change, and goes away whole", async () => {
    const { world, stack, args, acceptor, dialer } = await openPair(host);
    expect(await stack.up(args)).toBe("create");
    await expectState(world, "ACTIVE", acceptor, dialer);

    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    await stack.destroy();
    await expectState(world, undefined, acceptor, dialer);
  });

  it("a pair that one side has ended is seen, and peered again", async () => {
    const { world, stack, args, acceptor, dialer } = await openPair(host);
    await stack.up(args);
    await expectState(world, "ACTIVE", acceptor, dialer);
    await removePeering(world, dialer[1], dialer[0]);
    await expectState(world, "TERMINATED", acceptor);

    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toMatchObject({ step: "update" });
    expect(await stack.up(args)).toBe("update");

    await expectState(world, "ACTIVE", acceptor, dialer);
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  });

  it("a peering whose acceptor was deleted asks for another token, and is established with it", async () => {
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves(host);
    await tokens.up(issuing);
    await peerings.up(taking());
    await expectState(world, "ACTIVE", acceptor, dialer);
    await removePeering(world, acceptor[1], acceptor[0]);
    await expectState(world, "TERMINATED", dialer);

    expect(await peerings.refresh()).toBe(true);
    expect(await peerings.preview(taking())).toMatchObject({ step: "update" });
    await expect(peerings.up(taking())).rejects.toThrow(/invalid peering establishment secret.*raise `generation`/);
    expect(await tokens.refresh()).toBe(false);
    expect(await tokens.up(issuing)).toBe("create");
    expect(await peerings.up(taking())).toBe("update");

    await expectState(world, "ACTIVE", acceptor, dialer);
    expect(await peerings.refresh()).toBe(true);
    expect(await peerings.preview(taking())).toEqual({ step: "same", replaces: [] });
  });

  it("a token whose peering was deleted is replaced, and the peering is made again with the new one", async () => {
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves(host);
    await tokens.up(issuing);
    await peerings.up(taking());
    await expectState(world, "ACTIVE", acceptor, dialer);
    await removePeering(world, dialer[1], dialer[0]);
    await expectState(world, "TERMINATED", acceptor);

    expect(await tokens.refresh()).toBe(true);
    expect(await tokens.up(issuing)).toBe("replace");
    expect(await peerings.refresh()).toBe(false);
    expect(await peerings.up(taking())).toBe("create");

    await expectState(world, "ACTIVE", acceptor, dialer);
    expect(await tokens.refresh()).toBe(true);
    expect(await tokens.preview(issuing)).toEqual({ step: "same", replaces: [] });
  });
});

it("a pair is peered again where another hand has taken the name of the side that is gone", async () => {
  const { world, stack, args, acceptor, dialer } = await openPair("engine");
  await stack.up(args);
  await expectState(world, "ACTIVE", acceptor, dialer);
  await removePeering(world, dialer[1], dialer[0]);
  await expectState(world, "TERMINATED", acceptor);
  await world.raw(dialer[0]).call("POST peering/token", { PeerName: dialer[1] });

  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(args)).toBe("update");

  await expectState(world, "ACTIVE", acceptor, dialer);
});

describe("an agent that stops", () => {
  it("while a deletion is awaited: an error, the state is kept, and the next run completes", async () => {
    const { world, tokens, issuing, acceptor } = await openHalves("engine");
    await tokens.up(issuing);
    const before = tokens.entry();
    world.traffic.hold(isWaiting, () => servers.peer.stop());

    await expect(tokens.destroy()).rejects.toThrow(/^deleting cluster.PeeringToken "\w+": no answer from /);

    expect(tokens.entry()).toEqual(before);
    await servers.peer.start();
    await tokens.destroy();
    await expectState(world, undefined, acceptor);
  });

  it("and comes back while a deletion is awaited: the run completes", async () => {
    const { world, tokens, issuing, acceptor } = await openHalves("engine", { maxRetries: 8 });
    await tokens.up(issuing);
    let started: Promise<void> | undefined;
    world.traffic.hold(isWaiting, async () => {
      await servers.peer.stop();
      started = servers.peer.start();
    });

    await tokens.destroy();

    await started;
    expect(tokens.entry()).toBeUndefined();
    await expectState(world, undefined, acceptor);
  });

  it("while the other one dials it: an error that says so, and the next run completes with the same token", async () => {
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves("engine");
    await tokens.up(issuing);
    world.traffic.hold(
      ({ url }) => url.startsWith("/v1/peering/establish"),
      () => servers.peer.stop(),
    );

    await expect(peerings.up(taking())).rejects.toThrow(
      /^creating cluster.Peering "\w+": .*503 .*The other cluster cannot be reached at the addresses in the token\./,
    );

    expect(peerings.entry()).toMatchObject({ unfinished: true });
    await servers.peer.start();
    expect(await peerings.up(taking())).toBe("update");
    await expectState(world, "ACTIVE", acceptor, dialer);
    expect(await peerings.preview(taking())).toEqual({ step: "same", replaces: [] });
  });

  it("makes a peering FAILING, which is neither drift nor an end", async () => {
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves("engine");
    await tokens.up(issuing);
    await peerings.up(taking());
    await expectState(world, "ACTIVE", acceptor, dialer);
    await servers.peer.stop();
    await expectState(world, "FAILING", dialer);

    expect(await peerings.refresh()).toBe(true);
    expect(await peerings.preview(taking())).toEqual({ step: "same", replaces: [] });

    await servers.peer.start();
    await expectState(world, "ACTIVE", acceptor, dialer);
  });
});

describe("a token that is deleted", () => {
  it("while a deletion is awaited: the error names the cause, and another token completes it", async () => {
    const { world, stack, acl, args, record } = await openWithAcl();
    await stack.up(args);
    const before = stack.entry();
    world.traffic.hold(isWaiting, acl.remove);

    await expect(stack.destroy()).rejects.toThrow(unknownToken("deleting", "GET"));

    expect(stack.entry()).toEqual(before);
    stack.restart(world.host("engine", "clusterPeeringToken"));
    await stack.destroy();
    await expectState(world, undefined, record);
  });

  it("stops reads and writes with its cause, and another token goes on from the same state", async () => {
    const { world, stack, acl, args, record } = await openWithAcl();
    await stack.up(args);
    const before = stack.entry();
    await acl.remove();

    await expect(stack.refresh()).rejects.toThrow(unknownToken("reading", "GET"));
    await expect(stack.up({ ...args, generation: 1 })).rejects.toThrow(unknownToken("updating", "POST"));
    await expect(stack.destroy()).rejects.toThrow(unknownToken("deleting", "DELETE"));

    expect(stack.entry()).toEqual(before);
    stack.restart(world.host("engine", "clusterPeeringToken"));
    expect(await stack.up({ ...args, generation: 1 })).toBe("update");
    expect(await stack.refresh()).toBe(true);
    await expectState(world, "PENDING", record);
  });
});

/** What waits for the end of a record. */
function isWaiting({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return method === "GET" && url.startsWith("/v1/peering/");
}

function unknownToken(doing: string, method: string): RegExp {
  return new RegExp(
    `^${doing} cluster.PeeringToken "\\w+": 403 ACL not found \\(${method} .*The token is unknown or deleted`,
  );
}

/** Both halves of a peering, each a resource of its own: `peer` accepts, `cluster` dials. */
async function openHalves(host: HostName, settings: ConnectionSettings = {}) {
  const world = await openWorld({ servers });
  const acceptor: Place = ["peer", world.fresh("dialer")];
  const dialer: Place = ["cluster", world.fresh("acceptor")];
  const tokens = createStack(world.host(host, "clusterPeeringToken", settings));
  const peerings = createStack(world.host(host, "clusterPeering", settings));
  return {
    world,
    acceptor,
    dialer,
    tokens,
    peerings,
    issuing: { connection: "west", peerName: acceptor[1] },
    /** With the token as it is by now. */
    taking: (): Values => ({ peerName: dialer[1], peeringToken: tokens.entry()?.outputs["peeringToken"] }),
  };
}

async function openPair(host: HostName) {
  const world = await openWorld({ servers });
  const acceptor: Place = ["cluster", world.fresh("west")];
  const dialer: Place = ["peer", world.fresh("east")];
  const connections = { acceptorConnection: "east", dialerConnection: "west" };
  return {
    world,
    acceptor,
    dialer,
    stack: createStack(world.host(host, "clusterPeeredClusters")),
    args: { ...connections, acceptorPeerName: acceptor[1], dialerPeerName: dialer[1] },
  };
}

/** A stack with a token of its own, which may do what it needs until it is deleted. */
async function openWithAcl() {
  const world = await openWorld({ servers });
  const raw = world.raw("cluster");
  const policy = world.fresh("policy");
  await raw.call("PUT acl/policy", { Name: policy, Rules: 'peering = "write"' });
  const made = await raw.call("PUT acl/token", { Policies: [{ Name: policy }] });
  const { AccessorID, SecretID } = made as Readonly<Record<"AccessorID" | "SecretID", string>>;
  const args = { peerName: world.fresh("east") };
  const record: Place = ["cluster", args.peerName];
  return {
    world,
    args,
    record,
    stack: createStack(world.host("engine", "clusterPeeringToken", { token: SecretID, timeoutSeconds: 30 })),
    acl: { remove: () => raw.call(`DELETE acl/token/${AccessorID}`) },
  };
}

/** Waits until the records have this state, or, without one, are gone. */
async function expectState(world: World, state: string | undefined, ...places: readonly Place[]): Promise<void> {
  const states = () =>
    Promise.all(
      places.map(async ([at, name]) => {
        const { body } = await world.raw(at).ask(`GET peering/${name}`);
        return isRecord(body) ? body["State"] : undefined;
      }),
    );
  // A dialer whose cluster was away tries again after up to 16 s (reference B.10).
  await expect.poll(states, { timeout: 50_000, interval: 100 }).toEqual(places.map(() => state));
}
