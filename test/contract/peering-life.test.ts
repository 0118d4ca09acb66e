// @run test: it waits for clocks
// @servers embedded consul

import { describe, expect, it } from "vitest";
import { hostNames } from "../support/contract-host.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { expectState, openHalves, openPair } from "../support/peering-stacks.ts";
import { contentOf, issuedToken, removePeering } from "./cases/peers.ts";

/** What two clusters that connect do over time, which the cases of the suite, whose records stand alone, do not ask for. */

closeServersAfterwards();

describe.each(hostNames)("through the %s host", (host) => {
  // @covers peering: What the service does > token, establishment, records
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

  it("a peering whose establishment was not answered is whole after the next run, with the same token", async () => {
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves(host);
    await tokens.up(issuing);
    const args = taking();
    world.traffic.strikeAll(({ url }) => url.endsWith("/establish"), "a connection cut after the server has done it");
    await expect(peerings.up(args)).rejects.toThrow(/creating (cluster\.Peering|trustplane_cluster_peering)/);
    peerings.untaint();
    world.traffic.calm();
    world.traffic.forget();

    await peerings.up(args);
    await expectState(world, "ACTIVE", acceptor, dialer);
    expect(world.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await peerings.preview(args)).toEqual({ step: "same", replaces: [] });
  });

  // @covers peering: Peering connection > PeeringToken
  // @covers peering: Fields of the stored record > PeerServerName
  it("a peering is made anew with the token of another cluster, and not with another one of the same", async () => {
    const { world, tokens, peerings, issuing, taking, dialer } = await openHalves(host);
    await tokens.up(issuing);
    await peerings.up(taking());
    await expectState(world, "ACTIVE", dialer);
    const same = { ...taking(), peeringToken: await issuedToken(world) };
    expect(await peerings.preview(same)).toEqual({ step: "update", replaces: [] });

    const other = { ...taking(), peeringToken: await issuedToken(await openWorld({ which: "second" })) };
    expect(await peerings.preview(other)).toEqual({ step: "replace", replaces: ["peeringToken"] });
    expect(await peerings.up(other)).toBe("replace");
    await expectState(world, "ACTIVE", dialer);
    const record = await world.raw(dialer[0]).call(`GET peering/${dialer[1]}`);
    const { PeerID, ServerName, ServerAddresses } = contentOf(other.peeringToken);
    expect(record).toMatchObject({ PeerID, PeerServerName: ServerName, PeerServerAddresses: ServerAddresses });
    expect(await peerings.preview(other)).toEqual({ step: "same", replaces: [] });
  });

  it("a peering that another hand has made anew, to another cluster, is gone, and is made anew once it is imported", async () => {
    const { world, tokens, peerings, issuing, taking, dialer } = await openHalves(host);
    await tokens.up(issuing);
    await peerings.up(taking());
    const [at, PeerName] = dialer;
    await removePeering(world, PeerName, at);
    const PeeringToken = await issuedToken(await openWorld({ which: "second" }));
    await world.raw(at).call("POST peering/establish", { PeerName, PeeringToken });

    expect(await peerings.refresh()).toBe(false);
    await peerings.adopt(PeerName);
    expect(await peerings.preview(taking())).toEqual({ step: "replace", replaces: ["peeringToken"] });
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

it("a pair is peered again once the name of the side that is gone is free of what another hand has made there", async () => {
  const { world, stack, args, acceptor, dialer } = await openPair("engine");
  await stack.up(args);
  await expectState(world, "ACTIVE", acceptor, dialer);
  await removePeering(world, dialer[1], dialer[0]);
  await expectState(world, "TERMINATED", acceptor);
  await world.raw(dialer[0]).call("POST peering/token", { PeerName: dialer[1] });

  expect(await stack.refresh()).toBe(true);
  await expect(stack.up(args)).rejects.toThrow(/another peeringId.*if it is in the way then, delete it/);
  await expectState(world, "PENDING", dialer);
  await removePeering(world, dialer[1], dialer[0]);
  expect(await stack.up(args)).toBe("update");

  await expectState(world, "ACTIVE", acceptor, dialer);
});
