import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsulServers, startWithConsul } from "../support/contract-servers-live.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { expectState, openHalves, type Place } from "../support/peering-stacks.ts";

/** What happens to two real clusters that only their own agents and tokens can do. */

let servers: ConsulServers;

beforeAll(async () => {
  servers = await startWithConsul();
}, 60_000);
afterAll(() => servers.close());

describe("an agent that stops", () => {
  it("while a deletion is awaited: an error, the state is kept, and the next run completes", async () => {
    const { world, tokens, issuing, acceptor } = await openHalves("engine", { servers });
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
    const { world, tokens, issuing, acceptor } = await openHalves("engine", { servers, settings: { maxRetries: 8 } });
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
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves("engine", { servers });
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
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves("engine", { servers });
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

    await expect(stack.destroy()).rejects.toThrow(unknownToken("deleting"));

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

    await expect(stack.refresh()).rejects.toThrow(unknownToken("reading"));
    await expect(stack.up({ ...args, generation: 1 })).rejects.toThrow(unknownToken("updating"));
    await expect(stack.destroy()).rejects.toThrow(unknownToken("deleting"));

    expect(stack.entry()).toEqual(before);
    stack.restart(world.host("engine", "clusterPeeringToken"));
    expect(await stack.up({ ...args, generation: 1 })).toBe("update");
    expect(await stack.refresh()).toBe(true);
    await expectState(world, "PENDING", record);
  });
});

/** What waits for the end of a record. */
function isWaiting({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return method === "GET" && url === "/v1/peerings";
}

/** Each of them looks first. */
function unknownToken(doing: string): RegExp {
  return new RegExp(
    `^${doing} cluster.PeeringToken "\\w+": 403 ACL not found \\(GET .*The token is unknown or deleted`,
  );
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
