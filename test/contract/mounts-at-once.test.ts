// @servers embedded vault
// @without-terraform: it asks the engine or Pulumi's hosts

import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack, type Stack } from "../support/contract-stack.ts";
import type { SeenRequest } from "../support/contract-traffic.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

const mounts = ["sysAuthMount", "sysSecretsMount"] as const;
const { sysAuthMount } = definitions;
const isMove = ({ url }: SeenRequest) => url === "/v1/sys/remount";
const types = { sysAuthMount: "approle", sysSecretsMount: "aws" };
const isMountWrite = ({ method, url }: SeenRequest) => method === "POST" && /\/v1\/sys\/(auth|mounts)\//.test(url);

async function openMounts(count: number) {
  const world = await openWorld();
  const one = (name: (typeof mounts)[number]) => {
    const args: Values = { path: world.fresh("mount"), type: types[name] };
    return { name, args, stack: createStack(world.host("engine", name)) };
  };
  return { world, all: Array.from({ length: count }, (_, at) => one(mounts[at % 2] ?? mounts[0])) };
}

// @covers beyond: Mounts > identity_token_key
describe.runIf(servicesUnderTest.includes("secrets"))("mounts of one run", () => {
  it("are enabled while others are tuned, and the server answers afterwards", async () => {
    const { all } = await openMounts(24);
    const [old, fresh] = [all.slice(0, 12), all.slice(12)];
    const changed = ({ args }: { args: Values }) => ({ ...args, description: "tuned", identityTokenKey: "default" });
    for (const { stack, args } of old) await stack.up(args);
    const works = [
      ...old.map((mount) => mount.stack.up(changed(mount))),
      ...fresh.map(({ stack, args }) => stack.up(args)),
    ];
    const steps = await Promise.all(works);
    expect(new Set(steps)).toEqual(new Set(["update", "create"]));
    for (const mount of old) expect(await mount.stack.preview(changed(mount))).toEqual({ step: "same", replaces: [] });
  });

  it("are written one after another, and one that fails does not stop the next", async () => {
    const { world, all } = await openMounts(3);
    const [first, second, third] = all.map(({ stack, args }) => ({ stack, args }));
    if (!first || !second || !third) throw new Error("three mounts were asked for");
    await third.stack.up(third.args);
    world.traffic.forget();
    const writes = () => world.traffic.seen().filter(isMountWrite).length;
    let waiting: ReturnType<Stack["up"]> | undefined;
    let sentMeanwhile: number | undefined;
    world.traffic.hold(isMountWrite, async () => {
      waiting = second.stack.up(second.args);
      // A run of other requests: time enough for the second write, if nothing held it back.
      for (let round = 0; round < 5; round++) await third.stack.refresh();
      sentMeanwhile = writes();
    });
    world.traffic.strikeAll(
      (request) => isMountWrite(request) && request.url.endsWith(String(first.args["path"])),
      "403",
    );
    await expect(first.stack.up(first.args)).rejects.toThrow(/permission denied/);
    expect(sentMeanwhile).toBe(0);
    expect(await waiting).toBe("create");
    expect(writes()).toBe(2);
  });

  it("follow one that moves away once that is done, however long it takes, and not without it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const world = await openWorld();
    const engine = engineWithLog(world.config(), []);
    const inputs = async (path: string) => (await engine.check(sysAuthMount, { path, type: "approle" })).inputs;
    const [from, to] = [world.fresh("from"), world.fresh("to")];
    const mount = await engine.create(sysAuthMount, await inputs(from));
    const begin = async () => {
      engine.startRun();
      await engine.diff(sysAuthMount, mount.state, await inputs(to));
    };
    const move = async () => engine.update(sysAuthMount, mount.id, mount.state, await inputs(to));
    const follow = async () => {
      const next = engine.create(sysAuthMount, await inputs(from));
      next.catch(() => {});
      await setTimeout(80);
      vi.setSystemTime(Date.now() + 2000);
      await setTimeout(80);
      return { next };
    };
    const refusal = /another resource of this program has its path, and is still to be moved to/;
    await begin();
    await expect((await follow()).next).rejects.toThrow(refusal);
    world.traffic.strikeAll(isMove, "403");
    await expect(move()).rejects.toThrow(/403/);
    await expect((await follow()).next).rejects.toThrow(refusal);

    await begin();
    world.traffic.calm();
    const followed = Promise.withResolvers<Awaited<ReturnType<typeof follow>>>();
    world.traffic.hold(isMove, async () => followed.resolve(await follow()));
    await move();
    expect((await (await followed.promise).next).state["accessor"]).not.toBe(mount.state["accessor"]);
  });
});
