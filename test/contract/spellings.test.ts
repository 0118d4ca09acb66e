import { expect, it } from "vitest";
import { forEveryPairing } from "../support/contract-suite.ts";

forEveryPairing("spellings of the same", ({ of, open }) => {
  it.each([...(of.spellings ?? [])])("$title are no difference, also after a refresh", async ({ one, other }) => {
    const { stack, ground, with: over } = await open();
    const [first, second] = [await over(ground.full, one), await over(ground.full, other)];
    await stack.up(first);
    expect(await stack.preview(second)).toEqual({ step: "same", replaces: [] });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(first)).toEqual({ step: "same", replaces: [] });
    expect(await stack.preview(second)).toEqual({ step: "same", replaces: [] });
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
