// @servers embedded consul

import { describe, expect, it } from "vitest";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const hosts = servicesUnderTest.includes("cluster") ? hostNames : [];

/** One record has the sources of all: who calls a service is not always said in one place. */
describe.each(hosts)("an intention that others have too, through the %s host", (name) => {
  async function open() {
    const world = await openWorld();
    const destination = world.fresh("api");
    const host = world.host(name, "clusterIntention", { takeOver: "always" });
    const source = (caller: string) => ({ name: caller, action: "allow" });
    const args = (...callers: readonly string[]) => ({ destination, sources: callers.map(source) });
    const byHand = (...callers: readonly string[]) =>
      world.raw("cluster").call("PUT config", {
        Kind: "service-intentions",
        Name: destination,
        Sources: callers.map((Name) => ({ Name, Action: "allow" })),
      });
    const said = () => host.log().filter((line) => line.includes(destination));
    return { stack: createStack(host), args, byHand, said };
  }

  it("says which sources of others go when it takes the record over", async () => {
    const { stack, args, byHand, said } = await open();
    await byHand("web", "batch", "report");
    await stack.up(args("web"));
    expect(said().join()).toMatch(/warning: .*exists already and is taken over: sources → without "batch", "report"/);
  });

  it("says which sources of others go with an update, without a refresh before it", async () => {
    const { stack, args, byHand, said } = await open();
    await stack.up(args("web"));
    await byHand("web", "batch");
    await stack.up(args("web", "shop"));
    expect(said().join()).toMatch(
      /^warning: .*somebody else has changed it since it was recorded, and it is written as the program says: sources → without "batch"/,
    );
    const { length } = said();
    await stack.up(args("shop"));
    expect(said()).toHaveLength(length);
  });

  it("says in the preview of a change which sources of others it takes away", async () => {
    const { stack, args, byHand, said } = await open();
    await stack.up(args("web"));
    await byHand("web", "batch");
    await stack.preview({ ...args("web"), meta: { owner: "shop" } });
    expect(said().join()).toMatch(/^warning: .*it is written as the program says: sources → without "batch"/);
  });

  it("says nothing of that where it is replaced: what is deleted is not written over", async () => {
    const { stack, args, byHand, said } = await open();
    const { destination, sources } = args("web");
    await stack.up({ destination, sources });
    await byHand("web", "batch");
    await stack.preview({ destination: `${destination}-2`, sources });
    expect(said()).toEqual([]);
  });

  // `ignore_changes` is Terraform's own: its provider is given the server's value as the program's.
  const pulumiOnly = name === "terraform" ? [] : [name];
  it.each(pulumiOnly)("says nothing where the program leaves them to others", async () => {
    const { stack, args, byHand, said } = await open();
    await stack.up(args("web"));
    await byHand("web", "batch");
    await stack.up({ ...args("web"), meta: { owner: "shop" } }, { ignoring: ["sources"] });
    expect(said()).toEqual([]);
  });
});

it.runIf(servicesUnderTest.includes("secrets"))(
  "a preview looks at 200 records that change, and says that it does",
  async () => {
    const world = await openWorld();
    const lines: string[] = [];
    const engine = engineWithLog(world.config(), lines);
    const args = { mount: await jwtMount(world), name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
    const { inputs } = await engine.check(definitions.jwtRole, args);
    const { state } = await engine.create(definitions.jwtRole, inputs);
    world.traffic.forget();
    for (let count = 0; count < 202; count++)
      await engine.diff(definitions.jwtRole, state, { ...inputs, tokenTtl: "1h" }, { isUnread: true });
    expect(world.traffic.seen().filter(({ url }) => url.endsWith("/role/ci"))).toHaveLength(200);
    expect(
      lines.filter((line) => line.includes("looks at 200 records that change, and not at the others")),
    ).toHaveLength(1);
  },
);
