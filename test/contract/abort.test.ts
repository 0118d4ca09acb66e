// @run test: every call of every operation
// @servers embedded: a proxy cuts the calls, not the server
// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { isProviderError } from "../../provider/core/errors.ts";
import { argsToDelete, definitionOf, patched, patchFrom, type ResourceCase } from "../support/contract-case.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { resourceNames } from "../support/contract-suite.ts";
import { unwaited } from "../support/contract-unwaited.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { cases } from "./cases/index.ts";

closeServersAfterwards();

/** Operations by name, each with what it needs and how it is called with a signal. */
const operations = ["create", "read", "update", "delete"] as const;

describe.each(resourceNames)("%s: a cancelled run", (resource) => {
  it.each(operations)("%s ends at once, on whatever call it was", async (operation) => {
    // The names of both tables agree, which the type of `cases` checks; here any of them is meant.
    const of = unwaited(cases[resource] as unknown as ResourceCase);
    const definition = definitionOf(resource);
    let cancelled = 0;
    for (let nth = 1; ; nth++) {
      const world = await openWorld();
      const ground = await of.prepare(world);
      const prepared = engineWithLog(world.config(), []);
      const { inputs } = await prepared.check(
        definition,
        operation === "delete" ? argsToDelete(resource, ground) : ground.full,
      );
      const made = operation === "create" ? undefined : await prepared.create(definition, inputs);
      const again = patched(ground.full, await patchFrom(of.again ?? {}, world, ground));
      const { inputs: news } = await prepared.check(definition, again, inputs);
      const engine = engineWithLog(world.config(), []);
      const controller = new AbortController();
      world.traffic.strike(nth, "silence");
      const isStruck = untilStruck(world).then(() => controller.abort());
      const { signal } = controller;
      const id = made?.id ?? "";
      const state: Values = made?.state ?? {};
      const running = {
        create: () => engine.create(definition, inputs, { signal }),
        read: () => engine.read(definition, id, state, { signal }),
        update: () => engine.update(definition, id, halfWay(definition, state), news, { signal }),
        delete: () => engine.delete(definition, id, state, { signal }),
      }[operation]();
      const error = await running.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (world.traffic.struck() === undefined) {
        expect(error).toBeUndefined();
        break;
      }
      await isStruck;
      cancelled += 1;
      expect(isProviderError(error), String(error)).toBe(true);
      expect((error as Error).message).toMatch(/cancel|abort/i);
      expect((error as Error).message).not.toMatch(/defect/);
    }
    expect(cancelled).toBeGreaterThanOrEqual(of.requests[operation].length);
  });
});

/** A state of which every record has to be written once more. */
function halfWay({ members }: Definition, state: Values): Values {
  return { ...state, incomplete: members ? Object.keys(Object(state[members.property])) : true };
}

async function untilStruck({ traffic }: World): Promise<void> {
  while (traffic.struck() === undefined) await traffic.next();
}
