import { beforeAll, describe, expect, test, vi } from "vitest";
import { type LiveConsul, startLiveConsul } from "../../tools/live/live-servers.mts";
import { openingMs, openStackStory, type StackStory } from "../e2e/stack-story.ts";
import { type WatchedServers, watch } from "../e2e/watched-servers.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";

/** An agent goes away while two real clusters are peered; each test goes on where the one before it ended. */
describe("a Consul agent that is away in the middle", needsPulumi(), () => {
  let acceptor: LiveConsul;
  let dialer: LiveConsul;
  let watched: WatchedServers;
  let story: StackStory;
  const stateOf = async (service: "cluster" | "peer", name: string) => {
    const { body } = await watched.raw(service).ask(`GET peering/${name}`);
    return (body as { State?: string }).State;
  };
  const peerings = async () =>
    [await watched.raw("cluster").call("GET peerings"), await watched.raw("peer").call("GET peerings")].flat();

  beforeAll(async () => {
    [acceptor, dialer] = await Promise.all([
      startLiveConsul({ datacenter: "dc1" }),
      startLiveConsul({ datacenter: "dc2" }),
    ]);
    watched = await watch({ cluster: acceptor, peer: dialer });
    story = await openStackStory({
      program: { source: program },
      env: watched.env,
      // Past its proxy: an agent that has stopped refuses connections.
      config: {
        "trustplane:connections": JSON.stringify({ partner: { ...watched.partner, address: dialer.address } }),
      },
    });
    return async () => {
      await story.close();
      await watched.close();
      await Promise.all([acceptor.close(), dialer.close()]);
    };
  }, openingMs);

  test("of an up: the error says which, and the half that was written is recorded", async () => {
    watched.traffic.hold(
      ({ method, url }) => `${method} ${url}` === "POST /v1/peering/token",
      () => dialer.stop(),
    );

    const { text } = await story.pulumi("up --yes --skip-preview", { code: 1 });

    expect(text).toContain(`no answer from ${dialer.address}`);
    expect(text).toContain("the connection was refused. Is the server running, and is the address right?");
    expect((await story.resources()).map(({ id }) => id)).toEqual(["east/west"]);
    expect(await stateOf("cluster", "east")).toBe("PENDING");
  });

  test("the next up peers the clusters", async () => {
    await dialer.start();

    await story.pulumi("up --yes --skip-preview");

    const isActive = async () =>
      (await stateOf("cluster", "east")) === "ACTIVE" && (await stateOf("peer", "west")) === "ACTIVE";
    await vi.waitUntil(isActive, { timeout: 60_000, interval: 250 });
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("of the wait for a deleted peering's end: the error says so, and the resource stays in the state", async () => {
    let isDeleted = false;
    watched.traffic.hold(
      ({ method, url }) => {
        isDeleted ||= `${method} ${url}` === "DELETE /v1/peering/east";
        return isDeleted && `${method} ${url}` === "GET /v1/peerings";
      },
      () => acceptor.stop(),
    );

    const { text } = await story.pulumi("destroy --yes --skip-preview", { code: 1 });

    expect(text).toMatch(
      /error: deleting cluster\.PeeredClusters "east": .*no answer from .* \(GET \/v1\/peerings\): the server closed the connection/,
    );
    expect((await story.resources()).map(({ id }) => id)).toEqual(["east/west"]);
  });

  test("the next destroy leaves no peering behind", async () => {
    await acceptor.start();

    await story.pulumi("destroy --yes --skip-preview");

    // The agent's own test of readiness is a peering too, for a moment.
    await vi.waitUntil(async () => (await peerings()).length === 0, { timeout: 30_000 });
    expect(await story.resources()).toEqual([]);
  });
});

const program = `
const trustplane = require("trustplane");
new trustplane.cluster.PeeredClusters("pair", {
  acceptorPeerName: "east",
  dialerConnection: "partner",
  dialerPeerName: "west",
});
`;
