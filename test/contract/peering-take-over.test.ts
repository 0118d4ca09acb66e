// @servers embedded consul

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hasResource, hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { openHalves, openPair, type Place, stateOf } from "../support/peering-stacks.ts";
import { cases } from "./cases/index.ts";
import { issuedToken, removePeering } from "./cases/peers.ts";

closeServersAfterwards();

const { clusterPeeredClusters } = definitions;

const hosts = hostNames.filter((name) => hasResource(name, "clusterPeeringToken"));

it.runIf(hosts.length > 0)("a pair is refused where it says that neither side may be taken over", async () => {
  const world = await openWorld();
  const { minimal } = await cases.clusterPeeredClusters.prepare(world);
  await world.raw("cluster").call("POST peering/token", { PeerName: minimal["acceptorPeerName"] });
  const up = (takeOver: string) =>
    createStack(world.host("engine", "clusterPeeredClusters")).up({ ...minimal, takeOver });
  await expect(up("never")).rejects.toThrow(/it exists already.*, and `takeOver` is `never`\. Import it/);
  // The token that somebody was given would not work any more.
  await expect(up("same")).rejects.toThrow(/it exists already, and no server shows peeringToken/);
  expect(await up("always")).toBe("create");
});

it.runIf(hosts.length > 0)("the preview of a pair says what is there of each side", async () => {
  const world = await openWorld();
  const { minimal } = await cases.clusterPeeredClusters.prepare(world);
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  const foresee = async (args: Values) => {
    lines.length = 0;
    const { inputs } = await engine.check(clusterPeeredClusters, { ...minimal, ...args });
    await engine.foresee(clusterPeeredClusters, inputs);
    return lines;
  };
  expect(await foresee({})).toEqual([]);
  await world.raw("cluster").call("POST peering/token", { PeerName: minimal["acceptorPeerName"] });
  const lost = "; no server shows peeringToken: what is there is written over";
  expect(await foresee({ takeOver: "always" })).toEqual([
    expect.stringMatching(`PeeringToken .* is there already, as declared\\. It is taken over${lost}`),
  ]);
  await expect(foresee({})).rejects.toThrow(/it exists already, and no server shows peeringToken/);
  await expect(foresee({ takeOver: "never" })).rejects.toThrow(
    /creating cluster\.PeeredClusters .*: creating cluster\.PeeringToken .*: it exists already.*, and `takeOver` is `never`\. Import it/,
  );
});

describe.each(hosts)("a peering that is there already, through the %s host", (host) => {
  it("is taken over with a yes, as its token ends, and not with other metadata, which the server would ignore", async () => {
    const world = await openWorld();
    const stack = createStack(world.host(host, "clusterPeeringToken"));
    const peerName = world.fresh("peer");
    await world.raw("cluster").call("POST peering/token", { PeerName: peerName, Meta: { team: "theirs" } });
    await expect(stack.up({ peerName, meta: { team: "ours" } })).rejects.toThrow(
      /it exists already, with another meta \(\{"team":"theirs"\}\)/,
    );
    const theirs = { peerName, meta: { team: "theirs" } };
    await expect(stack.up(theirs)).rejects.toThrow(/it exists already, and no server shows peeringToken/);
    expect(await stack.up({ ...theirs, takeOver: "always" })).toBe("create");
    expect(await stack.preview(theirs)).toEqual({ step: "same", replaces: [] });
  });
});

describe.each(hostNames)("a peering in the other direction, through the %s host", (host) => {
  it("is another one, whatever may be taken over, and nothing of it is recorded", async () => {
    const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves(host);
    await tokens.up(issuing);
    await peerings.up(taking());
    const over = { takeOver: "always" };
    const back = createStack(world.host(host, "clusterPeering"));
    const used = { ...over, connection: "west", peerName: acceptor[1], peeringToken: await issuedToken(world) };
    await expect(back.up(used)).rejects.toThrow(
      /it exists already, and it has issued a token, and does not dial\. Choose/,
    );
    await expect(back.adopt(`${acceptor[1]}?connection=west`)).rejects.toThrow(
      /it has issued a token, and does not dial/,
    );
    expect(back.entry()).toBeUndefined();
    for (const name of hosts.filter((each) => each === host)) {
      const more = createStack(world.host(name, "clusterPeeringToken"));
      await expect(more.up({ ...over, peerName: dialer[1] })).rejects.toThrow(
        /it exists already, and it dials the other/,
      );
      expect(more.entry()).toBeUndefined();
    }
    expect([await stateOf(world, acceptor), await stateOf(world, dialer)]).toEqual(["ACTIVE", "ACTIVE"]);
  });
});

describe.each(hostNames)("somebody else's peering on a rebuilt cluster, through the %s host", (host) => {
  const kinds = (["clusterPeeringToken", "clusterPeering", "clusterPeeredClusters"] as const).filter((resource) =>
    hasResource(host, resource),
  );

  it.each(kinds)("leaves the state of a %s: its token is another one, whatever may be taken over", async (resource) => {
    const [home, elsewhere] = [await openWorld(), await openWorld({ which: "second" })];
    const stack = createStack(home.host(host, resource));
    const [issued, dialled] = [home.fresh("issued"), home.fresh("dialled")];
    const pair = { acceptorConnection: "east", acceptorPeerName: issued };
    const args = {
      clusterPeeringToken: { peerName: issued },
      clusterPeering: { peerName: dialled, peeringToken: await issuedToken(home) },
      clusterPeeredClusters: { ...pair, dialerConnection: "west", dialerPeerName: dialled },
    }[resource];
    await stack.up(args);
    const dialler = resource === "clusterPeering" ? "cluster" : "peer";
    const token = contentOfAnswer(await elsewhere.raw("cluster").call("POST peering/token", { PeerName: issued }));
    const used = dialler === "cluster" ? await issuedToken(elsewhere) : token;
    await elsewhere.raw(dialler).call("POST peering/establish", { PeerName: dialled, PeeringToken: used });
    stack.restart(elsewhere.host(host, resource, { rebuilt: true, takeOver: "always" }));
    elsewhere.traffic.forget();
    expect(await stack.refresh()).toBe(false);
    expect(elsewhere.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);
    stack.restart(elsewhere.host(host, resource, { rebuilt: true }));
    await expect(stack.up(args)).rejects.toThrow(/it exists already, and no server shows peering_?token/i);
  });
});

describe.each(hostNames)("a peering that another hand has made anew, through the %s host", (host) => {
  const anew = /somebody else has made another one since, with another (peeringId|peering_id)\. Refresh/;

  async function makeAnew(world: World, [at, name]: Place) {
    await removePeering(world, name, at);
    await world.raw(at).call("POST peering/token", { PeerName: name });
    return () => expect(stateOf(world, [at, name])).resolves.toBe("PENDING");
  }

  it.each(["peerings", "tokens"] as const)(
    "is neither changed nor deleted, and a refresh shows that the stack's is gone: %s",
    async (which) => {
      const halves = await openHalves(host);
      const { world, tokens, peerings, issuing, taking, acceptor, dialer } = halves;
      await tokens.up(issuing);
      await peerings.up({ ...taking(), waitForActive: false });
      const changed = {
        peerings: { ...taking(), peeringToken: await issuedToken(world) },
        tokens: { ...issuing, generation: 1 },
      }[which];
      const stack = halves[which];
      const expectTheirs = await makeAnew(world, which === "tokens" ? acceptor : dialer);
      await expect(stack.destroy()).rejects.toThrow(anew);
      // Terraform refreshes before it plans.
      if (host !== "terraform") {
        await expect(stack.preview(changed)).rejects.toThrow(anew);
        await expect(stack.up(changed)).rejects.toThrow(anew);
      }
      await expectTheirs();
      expect(await stack.refresh()).toBe(false);
      await expectTheirs();
    },
  );

  it("is neither changed nor deleted as the half of a pair, whose other half a destroy after a refresh deletes", async () => {
    const { world, stack, args, acceptor, dialer } = await openPair(host);
    await stack.up(args);
    const expectTheirs = await makeAnew(world, acceptor);
    const changed = { ...args, serverExternalAddresses: ["192.0.2.7:8503"] };
    await expect(stack.destroy()).rejects.toThrow(anew);
    if (host !== "terraform") await expect(stack.preview(changed)).rejects.toThrow(anew);
    if (host !== "terraform") await expect(stack.up(changed)).rejects.toThrow(anew);
    expect(await stateOf(world, dialer)).toMatch(/ACTIVE|TERMINATED/);
    expect(await stack.refresh()).toBe(true);
    await expect(stack.up(args)).rejects.toThrow(anew);
    await expectTheirs();
    await stack.destroy();
    await expectTheirs();
    expect(await stateOf(world, dialer)).toBeUndefined();
  });
});

function contentOfAnswer(answer: unknown): unknown {
  return isRecord(answer) ? answer["PeeringToken"] : undefined;
}
