// @run test: every unknown value
// @servers embedded: it is decided before a server is asked

import { expect, it } from "vitest";
import { hasUnknown, isRecord, UNKNOWN } from "../../provider/core/unknowns.ts";
import { definitionOf, type Treatment } from "../support/contract-case.ts";
import { pulumiHostNames } from "../support/contract-host.ts";
import { forEveryPairing, isTriedField } from "../support/contract-suite.ts";
import { isForeseen, isLookAhead, isMountsList, isProbe, type SeenRequest } from "../support/contract-traffic.ts";

forEveryPairing("unknown inputs", (pairing) => {
  const { of, open, resource } = pairing;
  const tells = Object.entries<Treatment>(of.fields).flatMap(([field, { means }]) =>
    means === "nothing" ? [] : [field],
  );

  // What can be renamed is looked at in the preview of a change, and what may be made anew as before a creation.
  const looks = [
    ...(isForeseen(definitionOf(resource)) ? of.requests.read.map(String) : []),
    ...(of.requests.ahead ?? []),
  ];

  it.each(Object.keys(of.fields).filter((field) => isTriedField(pairing, field)))(
    "%s may be unknown in a preview",
    async (field) => {
      const { stack, ground, world } = await open();
      expect(await stack.preview({ ...ground.full, [field]: UNKNOWN })).toEqual({ step: "create", replaces: [] });
      await stack.up(ground.full);
      world.traffic.forget();
      const { step } = await stack.preview({ ...ground.full, [field]: UNKNOWN });
      if (tells.includes(field)) expect(step).not.toBe("same");
      expect(tells.length).toBeGreaterThan(0);
      const isExpected = [isProbe, isMountsList, (request: SeenRequest) => isLookAhead({ ahead: looks }, request)];
      expect(world.traffic.seen().filter((request) => !isExpected.some((is) => is(request)))).toEqual([]);
    },
  );

  it("a part of any list or map may be unknown", async () => {
    const { stack, ground } = await open();
    const nested: (readonly [string, unknown])[] = Object.entries(ground.full).flatMap(([field, value]) => {
      const items: unknown[] | undefined = Array.isArray(value) ? [UNKNOWN, ...value.slice(1)] : undefined;
      if (items === undefined && !isRecord(value)) return [];
      const [first = "unknown"] = Object.keys(value as object);
      return [[field, items ?? { ...(value as object), [first]: UNKNOWN }] as const];
    });
    for (const [field, value] of nested) {
      expect(await stack.preview({ ...ground.full, [field]: value })).toEqual({ step: "create", replaces: [] });
    }
    const hasNested = Object.values(ground.full).some((value) => Array.isArray(value) || isRecord(value));
    expect(nested.length > 0).toBe(hasNested);
  });

  it("all of it may be unknown, and what is unknown stays so in the checked inputs", async () => {
    const { world, ground } = await open();
    for (const host of pulumiHostNames) {
      const unknown = Object.fromEntries(Object.keys(ground.full).map((field) => [field, UNKNOWN]));
      const { inputs, failures } = await world.host(host, resource).check({}, unknown);
      expect(failures).toEqual([]);
      for (const field of Object.keys(ground.full)) expect(hasUnknown(inputs[field]), field).toBe(true);
    }
  });

  it("all of it may be unknown in a preview", async () => {
    const { stack, ground } = await open();
    const unknown = Object.fromEntries(Object.keys(ground.full).map((field) => [field, UNKNOWN]));
    expect(await stack.preview(unknown)).toEqual({ step: "create", replaces: [] });
  });

  it("what is wrong beside an unknown value is refused all the same", async () => {
    const { stack, ground } = await open();
    const required = Object.entries(definitionOf(resource).fields).find(([, field]) => field.required);
    const [name] = required ?? ["connection"];
    const wrong = {
      ...ground.full,
      [name]: { not: "this" },
      [Object.keys(ground.full).find((key) => key !== name) ?? ""]: UNKNOWN,
    };
    await expect(stack.preview(wrong)).rejects.toThrow(new RegExp(`${name}\\S* must be`));
  });
});
