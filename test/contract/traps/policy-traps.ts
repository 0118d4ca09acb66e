import { expect } from "vitest";
import type { Values } from "../../../provider/core/definition.ts";
import { recordOf, subjectOf, type Trap, trap } from "../../support/contract-trap.ts";

/** Traps of policy set parameters (reference cluster-and-policy A.9). */
export const policyTraps: readonly Trap[] = [
  trap(1, "a sensitive value reads null, is kept as last known and never a difference", async () => {
    const { stack, ground } = await subjectOf("policyParameter");
    const args = { ...ground.full, sensitive: true };
    await stack.up(args);
    await stack.refresh();
    expect(stack.entry()?.inputs["value"]).toBe(ground.full["value"]);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  }),
  // @covers policy: Parameter > value
  trap(2, "an unrelated change does not send the value, which may have been changed elsewhere", async () => {
    const subject = await subjectOf("policyParameter");
    const { stack, ground, world } = subject;
    await stack.up(ground.full);
    const { policySetId, parameterId } = subject.known();
    const path = `policy-sets/${String(policySetId)}/parameters/${String(parameterId)}`;
    await world.raw("policy").call(`PATCH ${path}`, { data: { type: "vars", attributes: { value: "elsewhere" } } });
    await stack.up({ ...ground.full, key: world.fresh("key") });
    expect(await recordOf(subject)).toMatchObject({ value: "elsewhere" });
  }),
  // @covers policy: Parameter > value
  trap(3, "null, absent and empty values are the same", async () => {
    const { stack, ground } = await subjectOf("policyParameter");
    await stack.up({ ...ground.minimal, value: "" });
    for (const args of [ground.minimal, { ...ground.minimal, value: null }, { ...ground.minimal, value: "" }]) {
      expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    }
  }),
  // @covers policy: Parameter > key
  trap(
    4,
    "replaced is what the API cannot change: the set, sensitive to plain, and a sensitive parameter's key",
    async () => {
      const { stack, ground } = await subjectOf("policyParameter");
      await stack.up(ground.full);
      expect(await stack.preview({ ...ground.full, key: "another" })).toEqual({ step: "update", replaces: [] });
      expect(await stack.preview({ ...ground.full, sensitive: true })).toEqual({ step: "update", replaces: [] });
      await stack.up({ ...ground.full, sensitive: true });
      const locked = { ...ground.full, sensitive: true };
      expect(await stack.preview({ ...locked, value: "another" })).toEqual({ step: "update", replaces: [] });
      expect(await stack.preview({ ...locked, key: "another" })).toEqual({ step: "replace", replaces: ["key"] });
      expect(await stack.preview(ground.full)).toEqual({ step: "replace", replaces: ["sensitive"] });
      expect(await stack.preview({ ...locked, policySetId: "polset-demo000000000002" })).toMatchObject({
        step: "replace",
      });
    },
  ),
  trap(5, "a replacement deletes first, as the key is taken while the old record is there", async () => {
    const subject = await subjectOf("policyParameter");
    const { stack, ground, world } = subject;
    await stack.up({ ...ground.full, sensitive: true });
    world.traffic.forget();
    expect(await stack.up(ground.full)).toBe("replace");
    // What is deleted is looked at before.
    expect(world.traffic.seen().map(({ method }) => method)).toEqual(["GET", "DELETE", "GET", "POST"]);
    expect(await recordOf(subject)).toMatchObject({ sensitive: false, value: ground.full["value"] });
  }),
  // @covers policy: Endpoints > DELETE policy-sets/{policySetId}/parameters/{parameterId}
  trap(6, "a parameter that is gone is gone without an error, and deleting it is a success", async () => {
    const { stack, ground, known } = await subjectOf("policyParameter");
    await stack.up(ground.full);
    await ground.remove(known());
    await stack.destroy();
    await stack.up(ground.full);
    await ground.remove(known());
    expect(await stack.refresh()).toBe(false);
  }),
  // @covers policy: What the service does > editions
  // @covers policy: Authentication, errors, limits, versions > free edition
  trap(7, "a 404 that may mean no permission declares nothing gone while the set cannot be read", async () => {
    const { stack, ground, world, restart } = await subjectOf("policyParameter");
    await stack.up(ground.full);
    const before = stack.entry();
    world.traffic.strikeAll(() => true, "a JSON:API 404");
    await expect(stack.refresh()).rejects.toThrow(/404.*the token may not see it/);
    await expect(stack.destroy()).rejects.toThrow(/404.*the token may not see it/);
    world.traffic.calm();
    restart({ token: "wrong" });
    await expect(stack.refresh()).rejects.toThrow(/401/);
    expect(stack.entry()).toEqual(before);
  }),
  // @covers policy: Endpoints > POST policy-sets/{policySetId}/parameters
  trap(8, "a create whose answer was lost records what it has made, and the next run updates it", async () => {
    const subject = await subjectOf("policyParameter");
    const { stack, ground, world, restart } = subject;
    world.traffic.strikeAll(({ method }) => method === "POST", "a connection cut after the server has done it");
    await expect(stack.up(ground.full)).rejects.toThrow(/no answer/);
    world.traffic.calm();
    restart();
    expect(await stack.up({ ...ground.full, value: "second" })).toBe("update");
    expect(await recordOf(subject)).toMatchObject({ value: "second" });
  }),
  trap(9, "a change of a sensitive value alone is seen", async () => {
    const subject = await subjectOf("policyParameter");
    const { stack, ground, world } = subject;
    await stack.up({ ...ground.full, sensitive: true });
    const value = world.fresh("value");
    expect(await stack.up({ ...ground.full, sensitive: true, value })).toBe("update");
    expect(await recordOf(subject)).toMatchObject({ value });
  }),
  // @covers policy: Parameter > sensitive
  trap(10, "a value is hidden only when it is sensitive", async () => {
    const { world, ground } = await subjectOf("policyParameter");
    const { openDynamicHost } = await import("../../support/contract-host-dynamic.ts");
    const host = openDynamicHost({ resource: "policyParameter", config: world.config() });
    await host.check({}, ground.full);
    await host.check({}, { ...ground.full, sensitive: true });
    const [plain = "", sensitive = ""] = host.answers;
    expect(plain).toContain(`"value":"${String(ground.full["value"])}"`);
    expect(sensitive).not.toContain(`"inputs":{"value":"`);
    expect(sensitive).toMatch(/"value":\{"4dabf18193072939515e22adb298388d"/);
  }),
  // @covers policy: Parameter > id
  trap(11, "an import is <set>/<parameter>, and a sensitive value is sent with the first update", async () => {
    const subject = await subjectOf("policyParameter");
    const { stack, ground, restart } = subject;
    const args = { ...ground.full, sensitive: true };
    await stack.up(args);
    const { id } = stack.entry() ?? { id: "" };
    expect(id).toMatch(/^polset-[A-Za-z0-9]{16}\/var-[A-Za-z0-9]{16}$/);
    restart();
    expect(await stack.adopt(id)).not.toHaveProperty("value");
    expect(await stack.up({ ...args, value: "resent" })).toBe("update");
    expect(await recordOf(subject)).toMatchObject({ value: "resent" });
  }),
  // @covers policy: Parameter > fields of the record
  trap(12, "members that no row knows are ignored", async () => {
    const { stack, ground } = await subjectOf("policyParameter");
    await stack.up(ground.full);
    await stack.refresh();
    const known = ["policySetId", "key", "value", "sensitive", "category", "parameterId", "server"];
    expect(Object.keys(stack.entry()?.outputs ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  }),
  // @covers policy: Endpoints > 3: no page
  trap(13, "a list is asked for whole, without pages", async () => {
    const { stack, ground, world } = await subjectOf("policyParameter");
    const others = Array.from({ length: 25 }, () => world.fresh("other"));
    for (const key of others) {
      const data: Values = { type: "vars", attributes: { key, category: "policy-set" } };
      await world.raw("policy").call(`POST policy-sets/${String(ground.full["policySetId"])}/parameters`, { data });
    }
    await stack.up(ground.full);
    world.traffic.forget();
    expect(await stack.refresh()).toBe(true);
    expect(world.traffic.seen()).toHaveLength(1);
    expect(world.traffic.seen()[0]?.url).not.toContain("?");
  }),
  // @covers policy: Authentication, errors, limits, versions > status codes and bodies
  trap(14, "the status inside an error may be a text or a number", async () => {
    const { stack, ground, world } = await subjectOf("policyParameter");
    for (const fault of ["429", "a rate limit with a number as status"] as const) {
      world.traffic.strikeAll(() => true, fault);
      await expect(stack.up(ground.full)).rejects.toThrow(
        /429 (too many requests|You have exceeded).*The rate limit is used up; run again with a lower --parallel/,
      );
    }
  }),
];
