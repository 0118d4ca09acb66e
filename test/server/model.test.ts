// @run live: it takes long for what it finds

import { describe, expect, it } from "vitest";
import { type Running, startServers } from "../../server/serve";
import { fc } from "../support/fast-check.ts";
import { allReads, type Command, commands } from "./model-commands";
import { askPolicy, askVault, emptyModel, type World } from "./model-world";

/** Runs the work on a server of its own, and an empty model beside it. */
async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const server: Running = await startServers({ peeringDeleteDelayMs: 0 });
  try {
    await work({ model: emptyModel(), server });
  } finally {
    await server.close();
  }
}

async function runAndReadAll({ model, server }: World, asked: Iterable<Command>): Promise<void> {
  await fc.asyncModelRun(() => ({ model, real: server }), asked);
  for (const read of allReads) await read.run(model, server);
}

const long = { maxCommands: 60, size: "max" } as const;

describe("the embedded server", () => {
  it("is what its model says, whatever is created, updated, read, listed and deleted in whatever order", {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(fc.commands(commands, long), (asked) =>
      inWorld(({ model, server }) => runAndReadAll({ model, server }, asked)),
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it("is the same when records that have nothing to do with each other change at the same time", {
    timeout: 120_000,
  }, async () => {
    // Each lane has mounts, peers and keys of its own, so every interleaving must end in what the lanes' models say.
    const lanes = fc.array(fc.commands(commands, long), { minLength: 2, maxLength: 6 });
    const property = fc.asyncProperty(lanes, (asked) =>
      inWorld(async ({ server }) => {
        const runs = asked.map((lane, index) => runAndReadAll({ model: emptyModel(`lane${index}-`), server }, lane));
        const outcomes = await Promise.allSettled(runs);
        expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
      }),
    );
    await fc.assert(property, { numRuns: 20 });
  });

  it("lets one of many create what all want at the same time", async () => {
    await inWorld(async ({ server }) => {
      const wanted = { key: "k", value: "v", category: "policy-set" };
      const all = Array.from({ length: 100 }, async () => [
        (await askPolicy(server, "POST parameters", wanted)).status,
        (await askVault(server, "POST sys/auth/wanted", { type: "jwt" })).status,
      ]);
      const statuses = (await Promise.all(all)).flat().sort();
      expect(statuses).toEqual([201, 204, ...Array(99).fill(400), ...Array(99).fill(422)]);
    });
  });
});
