import { expect, it } from "vitest";
import { same } from "../../provider/core/field.ts";
import { definitionOf, type Treatment } from "../support/contract-case.ts";
import type { ResourceName } from "../support/contract-host.ts";
import { forEveryPairing } from "../support/contract-suite.ts";

/** Settings that the community edition stores and shows, although only Enterprise can use them. */
const unusable: { readonly [Name in ResourceName]?: readonly (readonly [string, string, unknown])[] } = {
  cloudRootConfig: [
    ["roleArn", "role_arn", "arn:aws:iam::123456789012:role/root"],
    ["identityTokenTtl", "identity_token_ttl", 60],
    ["disableAutomatedRotation", "disable_automated_rotation", true],
  ],
};

forEveryPairing("what another hand does", ({ of, open, promise, resource, host }) => {
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

  const { update, members, label } = definitionOf(resource);
  // A set writes only the records that the program changes.
  if (update.sends === "changes" && !members) {
    it("a change by another hand is left alone by an update of something else, and is a difference from then on", async () => {
      const { stack, ground, known, stored, with: over } = await open();
      await stack.up(ground.full);
      const before = await stored();
      const expected = await ground.edit(known());
      const edited = await stored();
      const renaming = Object.entries<Treatment>(of.fields).find(([name]) => name === label)?.[1];
      if (renaming?.means !== "update") throw new Error(`${label} cannot be changed`);
      const renamed = await over(ground.full, renaming.patch);
      expect(await stack.up(renamed)).toBe("update");
      expect(await stored()).toEqual(edited);

      // Terraform wants what was planned in the state; its next plan begins with a refresh.
      if (host === "terraform") expect(await stack.refresh()).toBe(true);
      expect(stack.entry()?.outputs).toMatchObject(expected);
      expect((await stack.preview(renamed)).step).toBe("update");
      await stack.up(renamed);
      expect(await stored()).toEqual(before);
    });
  }

  it.each(unusable[resource] ?? [])(
    "%s, which the server stores and cannot use, is found and reset",
    async (property, wire, value) => {
      const { stack, ground, world, known } = await open();
      await stack.up(ground.full);
      const [path] = [ground.record(known())].flat(2);
      await world.raw("secrets").call(`POST ${path}`, { [wire]: value });
      expect(await stack.refresh()).toBe(true);
      expect(stack.entry()?.inputs).toHaveProperty(property);

      expect(await stack.up(ground.full)).toBe("update");
      expect(await stack.refresh()).toBe(true);
      expect(stack.entry()?.inputs).not.toHaveProperty(property);
      expect(await stack.preview(ground.full)).toEqual({ step: "same", replaces: [] });
    },
  );
});
