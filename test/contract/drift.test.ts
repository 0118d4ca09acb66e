import { expect, it } from "vitest";
import { same } from "../../provider/core/field.ts";
import { definitionOf } from "../support/contract-case.ts";
import { forEveryPairing } from "../support/contract-suite.ts";

forEveryPairing("what another hand does", ({ of, open, promise, resource }) => {
  it("a record that was deleted is found gone, and the next run restores it", async () => {
    const { stack, ground, known, stored, with: over } = await open();
    await stack.up(ground.full);
    const before = await stored();
    await ground.remove(known());
    expect(await stack.refresh()).toBe(false);
    expect(await stack.up(await over(ground.full, of.again))).toBe("create");
    expect(await stored()).toEqual(before);
  });

  promise("a change by another hand is found and repaired", async () => {
    const { stack, ground, known, stored, with: over } = await open();
    await stack.up(ground.full);
    const before = await stored();
    const expected = await ground.edit(known());
    expect(await stored()).not.toEqual(before);
    expect(await stack.preview(ground.full)).toEqual({ step: "same", replaces: [] });

    expect(await stack.refresh()).toBe(true);
    const inputs = stack.entry()?.inputs ?? {};
    const { fields } = definitionOf(resource);
    const differing = Object.keys(expected).filter((name) => {
      const field = fields[name];
      return field === undefined || !same(field, inputs[name], expected[name]);
    });
    expect(Object.keys(expected).length).toBeGreaterThan(0);
    expect(differing).toEqual([]);

    const repair = await over(ground.full, of.again);
    expect((await stack.preview(repair)).step).not.toBe("same");
    await stack.up(repair);
    expect(await stored()).toEqual(before);
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(repair)).toEqual({ step: "same", replaces: [] });
  });
});
