// @run test: it waits for clocks
// @servers embedded consul

import { describe, expect, it, vi } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { isProviderError } from "../../provider/core/errors.ts";
import { clusterPeering } from "../../provider/resources/cluster/peering.ts";
import { type HostName, hostNames, hosts, type ResourceName } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { hurried } from "../support/hurried.ts";
import { openHalves, openPair, stateOf } from "../support/peering-stacks.ts";
import { openStandIn, peeringIn, standInToken } from "../support/peering-stand-in.ts";

closeServersAfterwards();

const single = { resource: "clusterPeering", args: { peerName: "east", peeringToken: standInToken } } as const;
const pair = {
  resource: "clusterPeeredClusters",
  args: {
    acceptorConnection: "east",
    acceptorPeerName: "east",
    dialerConnection: "west",
    dialerPeerName: "east",
    takeOver: "always",
  },
} as const;

/** A program on a cluster whose peering is in a state that the test moves. */
async function openProgram(host: HostName, resource: ResourceName, first: string) {
  let state: string | undefined = first;
  let asked = 0;
  const { config, seen } = await openStandIn(({ method }) => {
    asked += method === "GET" ? 1 : 0;
    if (method === "DELETE") state = undefined;
    // Made again after that: at once.
    if (method === "POST") state ??= "ACTIVE";
    return state === undefined ? undefined : peeringIn(state, { PeerID: "other" });
  });
  const stack = createStack(hosts[host]({ resource, config }));
  return {
    stack,
    config,
    posts: () => seen.filter((line) => line.startsWith("POST")),
    asked: () => asked,
    become(next: string) {
      state = next;
    },
  };
}

describe.each(hostNames)("through the %s host", (host) => {
  // @covers peering: What the service does > token, establishment, records
  it("a peering is ACTIVE when it is made, and when it is made anew", async () => {
    const { world, tokens, peerings, issuing, taking, dialer } = await openHalves(host);
    await tokens.up(issuing);
    await peerings.up(taking());
    expect(await stateOf(world, dialer)).toBe("ACTIVE");

    await tokens.up({ ...issuing, generation: 1 });
    expect(await peerings.up(taking())).toBe("update");
    expect(await stateOf(world, dialer)).toBe("ACTIVE");
  });

  it("a pair is ACTIVE when it is made", async () => {
    const { world, stack, args, dialer } = await openPair(host);
    await stack.up(args);
    expect(await stateOf(world, dialer)).toBe("ACTIVE");
  });

  describe.each([single, pair])("$resource that does not become ACTIVE", ({ resource, args }) => {
    // @covers peering: Endpoints > POST peering/establish
    it.each([
      [
        "ESTABLISHING",
        /it is still ESTABLISHING, not ACTIVE, after 60 s\. .*log of its leader.* The next run goes on waiting\./,
      ],
      ["FAILING", /it is still FAILING, not ACTIVE, after 60 s\. .*all servers of this cluster reach/],
    ])("but stays %s is recorded whole, and the next run waits on without a new token", async (state, message) => {
      const { stack, posts, become } = await openProgram(host, resource, state);
      await expect(hurried(() => stack.up(args))).rejects.toThrow(message);

      expect(stack.entry()).toMatchObject({ unfinished: true });
      stack.untaint();
      const sent = posts();
      await expect(hurried(() => stack.up(args))).rejects.toThrow(message);
      expect(stack.entry()).toMatchObject({ unfinished: true });

      become("ACTIVE");
      expect(await stack.up(args)).toBe("update");
      expect(posts()).toEqual(sent);
      expect(stack.entry()).toMatchObject({ unfinished: false });
      expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    });

    it("is done at once when it is told not to wait, and telling it otherwise later changes nothing", async () => {
      const { stack, posts } = await openProgram(host, resource, "ESTABLISHING");
      expect(await stack.up({ ...args, waitForActive: false })).toBe("create");

      const sent = posts();
      expect(await stack.up(args)).toBe("same");
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview({ ...args, waitForActive: false })).toEqual({ step: "same", replaces: [] });
      expect(posts()).toEqual(sent);
    });
  });
});

it("a peering that the other side ends meanwhile is an error, and the next run makes it again", async () => {
  const { stack, asked, become } = await openProgram("engine", "clusterPeering", "ESTABLISHING");
  const making = expect(stack.up(single.args)).rejects.toThrow("it has been ended since");
  await Promise.all([making, vi.waitUntil(() => asked() > 1).then(() => become("TERMINATED"))]);
  expect(stack.entry()).toMatchObject({ unfinished: true, outputs: { terminated: true } });
  expect(await stack.preview(single.args)).toMatchObject({ step: "update" });
});

// https://github.com/hashicorp/consul/issues/15052
it("a follower without a leader is asked again while a peering is waited for", async () => {
  const answers = [undefined, undefined, "ESTABLISHING", "no leader", "no leader", "ACTIVE"] as const;
  let asked = 0;
  const { config } = await openStandIn(({ method }) => {
    if (method === "POST") return peeringIn("ESTABLISHING");
    const state = answers[Math.min(asked++, answers.length - 1)];
    return state === undefined || state === "no leader" ? state : peeringIn(state, { PeerID: "other" });
  });
  const stack = createStack(hosts.engine({ resource: "clusterPeering", config }));
  expect(await stack.up(single.args)).toBe("create");
  expect(stack.entry()).toMatchObject({ unfinished: false });
  expect(asked).toBeGreaterThanOrEqual(answers.length);
});

it("a wait that is cancelled leaves the record, with its id", async () => {
  const { config, asked } = await openProgram("engine", "clusterPeering", "ESTABLISHING");
  const engine = engineWithLog(config, []);
  const controller = new AbortController();
  const inputs: Values = (await engine.check(clusterPeering, single.args)).inputs;
  const making = engine
    .create(clusterPeering, inputs, { signal: controller.signal })
    .catch((reason: unknown) => reason);
  await vi.waitUntil(() => asked() > 1);
  controller.abort();

  const error = await making;
  expect(isProviderError(error) && { code: error.code, id: error.id, properties: error.properties }).toMatchObject({
    code: "PartialError",
    id: "east",
    properties: { peerName: "east", peeringId: "id" },
  });
  expect(String(error)).toMatch(
    /^ProviderError: creating cluster\.Peering "east": it was written, but the wait .* was cancelled; it is ESTABLISHING\. The next run goes on/,
  );
});
