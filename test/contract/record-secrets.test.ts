// @run test: it is about Terraform's host
// @servers embedded

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { hostNames } from "../support/contract-host.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

// Terraform's state has no secret, so what an update writes is told by fingerprints.
const underTest = hostNames.filter((name) => name === "terraform" && servicesUnderTest.includes("policy"));

describe.each(underTest)("secrets of a set's records through the %s host", (name) => {
  async function begin(before: Readonly<Record<string, string>> = {}) {
    const world = await openWorld();
    const policySetId = world.servers.freshPolicySet();
    const host = world.host(name, "policyParameterSet");
    const stack = createStack(host);
    const args = (secrets: Readonly<Record<string, string>>, more: Values = {}) => {
      const records = Object.entries(secrets).map(([key, value]) => [key, { value, sensitive: true }] as const);
      return { policySetId, parallel: 1, parameters: Object.fromEntries(records), ...more };
    };
    if (Object.keys(before).length > 0) await stack.up(args(before));
    world.traffic.forget();
    return {
      stack,
      args,
      traffic: world.traffic,
      warnings: () => host.log().filter((line) => line.startsWith("warning")),
      prints: (): Readonly<Record<string, string>> => Object(stack.entry()?.outputs["fingerprints"]),
      /** The methods of the requests that wrote something since the last time. */
      writes() {
        const methods = world.traffic.seen().map(({ method }) => method);
        world.traffic.forget();
        return methods.filter((method) => method !== "GET");
      },
    };
  }

  /** The first such request fails. */
  function failFirst({ traffic }: Awaited<ReturnType<typeof begin>>, wanted: string) {
    let isFirst = true;
    traffic.strikeAll(({ method }) => {
      const hits = method === wanted && isFirst;
      if (hits) isFirst = false;
      return hits;
    }, "403");
  }

  it("a change that fails keeps the fingerprint of before, and the next run repairs that record alone", async () => {
    const begun = await begin({ a: "secret-a-1", b: "secret-b-1" });
    const { stack, args, prints, writes, traffic } = begun;
    const before = prints();
    failFirst(begun, "PATCH");
    const wanted = args({ a: "secret-a-2", b: "secret-b-2" });
    await expect(stack.up(wanted)).rejects.toThrow(/1 of 2 records failed/);
    expect(prints()["parameters.a.value"]).toBe(before["parameters.a.value"]);
    expect(prints()["parameters.b.value"]).not.toBe(before["parameters.b.value"]);
    traffic.calm();
    writes();
    expect(await stack.up(wanted)).toBe("update");
    expect(writes()).toEqual(["PATCH"]);
    expect(await stack.preview(wanted)).toEqual({ step: "same", replaces: [] });
  });

  it("a record that could not be made has no fingerprint, and the next run makes it alone", async () => {
    const begun = await begin();
    const { stack, args, prints, writes, traffic } = begun;
    failFirst(begun, "POST");
    const wanted = args({ a: "secret-a-1", b: "secret-b-1" });
    await expect(stack.up(wanted)).rejects.toThrow(/1 of 2 records failed/);
    expect(Object.keys(prints())).toEqual(["parameters.b.value"]);
    traffic.calm();
    stack.untaint();
    writes();
    await stack.up(wanted);
    expect(writes()).toEqual(["POST"]);
    expect(await stack.preview(wanted)).toEqual({ step: "same", replaces: [] });
  });

  it("a record that could not be deleted keeps its fingerprint, and what comes back is sent if it differs", async () => {
    const begun = await begin({ a: "secret-a-1", b: "secret-b-1" });
    const { stack, args, prints, writes, traffic } = begun;
    const before = prints();
    failFirst(begun, "DELETE");
    await expect(stack.up(args({}, { parameters: { c: { value: "shown" } } }))).rejects.toThrow(/records failed/);
    traffic.calm();
    expect(prints()).toEqual({ "parameters.a.value": before["parameters.a.value"] });
    writes();
    const wanted = args({ a: "secret-a-2" });
    await stack.up(wanted);
    expect(writes().sort()).toEqual(["DELETE", "PATCH"]);
    expect(await stack.preview(wanted)).toEqual({ step: "same", replaces: [] });
  });

  it("a secret with the value of the defaults is one all the same", async () => {
    const { stack, args, prints, writes, warnings } = await begin();
    const both = (value: string) => ({
      ...args({}),
      defaults: { value: "none" },
      parameters: { a: { value, sensitive: true }, b: {} },
    });
    await stack.up(both("none"));
    expect(Object.keys(prints())).toEqual(["parameters.a.value"]);
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(both("none"))).toEqual({ step: "same", replaces: [] });
    writes();
    await stack.up(both("other"));
    expect(writes()).toEqual(["PATCH"]);
    await stack.up(both("none"));
    expect(await stack.preview(both("none"))).toEqual({ step: "same", replaces: [] });
    expect(warnings()).toEqual([]);
  });

  it("a secret that is emptied is written once", async () => {
    const { stack, args, prints, writes } = await begin({ a: "secret-a-1" });
    await stack.up(args({ a: "" }));
    expect(writes()).toEqual(["PATCH"]);
    expect(prints()).toEqual({});
    expect(await stack.preview(args({ a: "" }))).toEqual({ step: "same", replaces: [] });
    await stack.up(args({ a: "secret-a-1" }));
    expect(writes()).toEqual(["PATCH"]);
    expect(await stack.preview(args({ a: "secret-a-1" }))).toEqual({ step: "same", replaces: [] });
  });
});
