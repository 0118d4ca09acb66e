// @run test: every spelling

import { expect, it } from "vitest";
import { fill, placeholders } from "../../provider/core/template.ts";
import { definitionOf } from "../support/contract-case.ts";
import { forEveryPairing } from "../support/contract-suite.ts";

forEveryPairing("spellings of the same", ({ resource, of, open }) => {
  const { id: template } = definitionOf(resource);
  it.each([...(of.spellings ?? [])])("$title are no difference, also after a refresh", async ({ one, other }) => {
    const { stack, ground, with: over } = await open();
    const [first, second] = [await over(ground.full, one), await over(ground.full, other)];
    await stack.up(first);
    expect(await stack.preview(second)).toEqual({ step: "same", replaces: [] });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(first)).toEqual({ step: "same", replaces: [] });
    expect(await stack.preview(second)).toEqual({ step: "same", replaces: [] });
  });

  const inId = (of.spellings ?? []).filter(({ one }) => placeholders(template).some((name) => name in one));
  it.each(inId)("$title are no difference in the id of an import", async ({ one, other }) => {
    const { stack, ground, restart, with: over } = await open();
    const [first, second] = [await over(ground.full, one), await over(ground.full, other)];
    await stack.up(first);
    const id = stack.entry()?.id;
    for (const values of [first, second]) {
      restart();
      await stack.adopt(fill(template, values));
      expect(stack.entry()?.id).toBe(id);
    }
  });

  it("null and unset are the same for every property that may be left out", async () => {
    const { stack, ground } = await open();
    const optional = Object.keys(of.fields).filter((field) => !(field in ground.minimal));
    const nulls = Object.fromEntries(optional.map((field) => [field, null]));
    await stack.up({ ...nulls, ...ground.minimal });
    expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview({ ...nulls, ...ground.minimal })).toEqual({ step: "same", replaces: [] });
  });
});
