// @without-terraform: it asks the engine
// @run test: it waits for clocks
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Recorded } from "../../provider/engine/operation.ts";
import { definitions } from "../../provider/resources/index.ts";
import { argsToDelete } from "../support/contract-case.ts";
import { firstChange } from "../support/contract-fault-loop.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { createStack } from "../support/contract-stack.ts";
import { forEveryPairing } from "../support/contract-suite.ts";
import { openWorld } from "../support/contract-world.ts";

// Performance standbys, and replicas behind a load balancer: https://github.com/hashicorp/terraform-provider-vault/issues/1376
forEveryPairing(
  "reads that are behind the writes",
  (pairing) => {
    const { open, promise, resource } = pairing;
    it("are repeated after a creation and a change, until they show it", async () => {
      const { stack, ground, world, with: over } = await open();
      world.traffic.isBehind = true;
      const change = firstChange(pairing);
      const before = await over(ground.full, change.from);
      const after = await over(before, change.patch);
      expect(await stack.up(before)).toBe("create");
      expect(await stack.preview(before)).toEqual({ step: "same", replaces: [] });
      expect(await stack.up(after)).toBe("update");
      expect(await stack.preview(after)).toEqual({ step: "same", replaces: [] });
      world.traffic.isBehind = false;
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview(after)).toEqual({ step: "same", replaces: [] });
    });

    promise("delete removes the record", async () => {
      const { stack, ground, stored, world } = await open();
      world.traffic.isBehind = true;
      await stack.up(argsToDelete(resource, ground));
      await stack.destroy();
      expect(await stored()).toBeUndefined();
    });
  },
  { hosts: ["engine"] },
);

it("a record that leaves a set is gone, although a node still lists it", async () => {
  const servers = await startEmbedded();
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  const stack = createStack(world.host("engine", "policyParameterSet"));
  const policySetId = servers.freshPolicySet();
  const [a, b] = [{ value: "a" }, { value: "b" }];
  await stack.up({ policySetId, parameters: { a, b } });
  world.traffic.isBehind = true;
  expect(await stack.up({ policySetId, parameters: { a } })).toBe("update");
  await stack.destroy();
  expect(stack.entry()).toBeUndefined();
});

it("a parameter that a run finds as declared, and deletes meanwhile under its former name, is made anew", async () => {
  const servers = await startEmbedded();
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  const engine = engineWithLog(world.config(), []);
  const { policyParameter } = definitions;
  const args = { policySetId: servers.freshPolicySet(), key: "limit", value: "1" };
  const { inputs } = await engine.check(policyParameter, args);
  const { id, state } = await engine.create(policyParameter, inputs);
  engine.startRun();
  engine.holds(policyParameter, state);
  const made = Promise.withResolvers<Recorded>();
  world.traffic.hold(
    ({ method }) => method === "DELETE",
    async () => {
      world.traffic.forget();
      void engine.create(policyParameter, inputs).then(made.resolve, made.reject);
      await vi.waitFor(() => expect(world.traffic.seen()).not.toEqual([]));
      await setTimeout(50);
    },
  );
  await engine.delete(policyParameter, id, state);
  const now = await made.promise;
  expect(await engine.read(policyParameter, now.id, now.state)).toBeDefined();
});
