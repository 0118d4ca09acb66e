// @run test: it waits for clocks
import { expect, it, onTestFinished } from "vitest";
import { startEmbedded } from "../../support/contract-servers-embedded.ts";
import { createStack } from "../../support/contract-stack.ts";
import { openWorld } from "../../support/contract-world.ts";

// @covers policy: Authentication, errors, limits, versions > rate and size limits
it("a set of more records than the server's limit allows a second loses none of them, whatever is in flight", async () => {
  const servers = await startEmbedded({ policyRequestsPerSecond: 25 });
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  const stack = createStack(world.host("engine", "policyParameterSet"));
  const policySetId = servers.freshPolicySet();
  const keys = Array.from({ length: 40 }, (_, at) => `key-${at}`);
  const args = { policySetId, parallel: 40, parameters: Object.fromEntries(keys.map((key) => [key, { value: key }])) };

  expect(await stack.up(args)).toBe("create");

  // Those that were refused at first are sent again.
  const sent = world.traffic.seen().filter(({ method }) => method === "POST");
  expect(sent.length).toBeGreaterThan(keys.length);
  expect(await stack.refresh()).toBe(true);
  expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
});
