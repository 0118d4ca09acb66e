import { expect, it } from "vitest";
import { definitionOf } from "../support/contract-case.ts";
import { firstChange } from "../support/contract-fault-loop.ts";
import { forEveryPairing } from "../support/contract-suite.ts";
import { isProbe } from "../support/contract-traffic.ts";

forEveryPairing("half-way", (pairing) => {
  const { of, open, promise, resource } = pairing;
  const { id, outputs } = definitionOf(resource);

  promise("a failed read-back is a partial failure", async () => {
    const { stack, ground, world, restart, with: over } = await open();
    let wrote = false;
    world.traffic.strikeAll((request) => {
      const isReadBack = wrote && request.method === "GET" && !isProbe(request);
      wrote ||= request.method !== "GET";
      return isReadBack;
    }, "503");
    await expect(stack.up(ground.full)).rejects.toThrow(/503/);
    world.traffic.calm();
    const entry = stack.entry();
    expect(entry).toMatchObject({ unfinished: true });
    expect(entry?.id).toBe(typeof ground.id === "string" ? ground.id : ground.id(entry?.outputs ?? {}));

    restart();
    const args = await over(ground.full, of.again);
    expect(["update", "replace"]).toContain(await stack.up(args));
    expect(stack.entry()).toMatchObject({ unfinished: false });
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  });

  promise("a failed read-back is a partial failure", async () => {
    const subject = await open();
    const { stack, ground, world, restart, with: over } = subject;
    const { from, patch } = firstChange(pairing);
    const before = await over(ground.full, from);
    const after = await over(before, patch);
    await stack.up(before);
    const id = stack.entry()?.id;
    let wrote = false;
    world.traffic.strikeAll((request) => {
      const isReadBack = wrote && request.method === "GET" && !isProbe(request);
      wrote ||= request.method !== "GET";
      return isReadBack;
    }, "a cut connection");
    await expect(stack.up(after)).rejects.toThrow(/could not be confirmed|no answer/);
    world.traffic.calm();
    expect(stack.entry()).toMatchObject({ id, unfinished: true });

    restart();
    const args = await over(after, of.again);
    await stack.up(args);
    expect(stack.entry()).toMatchObject({ unfinished: false });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  });

  it("a creation without an answer, which cannot be looked for, is recorded", async () => {
    const { stack, ground, world, restart, stored } = await open();
    let wrote = false;
    world.traffic.strikeAll((request) => {
      wrote ||= request.method !== "GET";
      return wrote;
    }, "a connection cut after the server has done it");
    await expect(stack.up(ground.minimal)).rejects.toThrow(/it is not known whether it was written|no answer/);
    world.traffic.calm();
    // The server gives some ids, and has not said it.
    if (stack.entry() === undefined)
      return expect(Object.keys(outputs).some((name) => id.includes(`{${name}}`))).toBe(true);
    expect(stack.entry()).toMatchObject({ unfinished: true });
    restart();
    await stack.destroy();
    const stays = of.skips?.some((skip) => skip.case === "delete removes the record");
    if (!stays) expect(await stored()).toBeUndefined();
  });

  promise("a failed read-back is a partial failure", async () => {
    const { stack, ground, world, restart, stored } = await open();
    let wrote = false;
    world.traffic.strikeAll((request) => {
      const isReadBack = wrote && request.method === "GET" && !isProbe(request);
      wrote ||= request.method !== "GET";
      return isReadBack;
    }, "503");
    await expect(stack.up(ground.minimal)).rejects.toThrow(/503/);
    world.traffic.calm();
    restart();
    // What was recorded half-way can be refreshed and destroyed like anything else.
    expect(await stack.refresh()).toBe(true);
    await stack.destroy();
    const stays = of.skips?.some((skip) => skip.case === "delete removes the record");
    if (!stays) expect(await stored()).toBeUndefined();
    expect(stack.entry()).toBeUndefined();
  });
});
