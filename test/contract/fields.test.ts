import { describe, expect, it } from "vitest";
import { same } from "../../provider/core/field.ts";
import { addressOf, type Change, definitionOf, type Treatment } from "../support/contract-case.ts";
import { showsWriteOnly } from "../support/contract-servers.ts";
import { InputsRefused } from "../support/contract-stack.ts";
import { dependsOnServer, forEveryPairing, isTriedField, type Pairing } from "../support/contract-suite.ts";

forEveryPairing(
  "every field",
  (pairing) => {
    for (const [field, treatment] of Object.entries<Treatment>(pairing.of.fields)) {
      if (treatment.means === "nothing" || !dependsOnServer(pairing.resource, field)) continue;
      if (!isTriedField(pairing, field)) continue;
      describe(field, () => {
        if (treatment.means === "refused") refusal(pairing, field, treatment);
        else {
          change(pairing, field, treatment);
          removal(pairing, field, treatment);
        }
      });
    }
  },
  { writesOften: true },
);

function refusal({ open, host }: Pairing, field: string, { patch }: Extract<Treatment, { means: "refused" }>): void {
  it("is refused where the server does not have it, naming what has", async () => {
    const { stack, ground, with: over, world } = await open();
    const refusal = await stack.up(await over(ground.minimal, patch)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InputsRefused);
    const { failures } = refusal as InputsRefused;
    // Terraform stops at what is wrong on every server, before it asks which one this is.
    const isWrongAnywhere = failures.some(({ reason }) => /^(only valid when|must have as many) /.test(reason));
    if (host !== "terraform" || !isWrongAnywhere) {
      const [reason] = failures.filter(({ property }) => property === field).map((failure) => failure.reason);
      expect(reason).toMatch(/^needs (Vault|OpenBao).*; the server is /);
    }
    expect(world.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);
  });
}

function change({ open, of, resource }: Pairing, field: string, { means, patch, from, local }: Change): void {
  const leavesNothing = of.skips?.every((skip) => skip.case !== "delete removes the record") ?? true;
  const how = means === "update" ? "updates the record in place" : "replaces the record, deleting the old one first";
  it(`a change ${how}, and the server ends as if it had never been otherwise`, async () => {
    const subject = await open();
    const { stack, ground } = subject;
    const before = await subject.with(ground.full, from);
    const after = await subject.with(before, patch);
    await stack.up(before);
    const [old, oldState] = [await subject.stored(), subject.known()];

    const { step, replaces } = await stack.preview(after);
    expect(step).toBe(means);
    expect(replaces).toEqual(means === "replace" ? expect.arrayContaining([field]) : []);
    await stack.up(after);
    expect(await stack.preview(after)).toEqual({ step: "same", replaces: [] });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(after)).toEqual({ step: "same", replaces: [] });

    expect(await subject.stored()).toEqual(await subject.storedAlone(after));
    const isRenamed = addressOf(resource).includes(field);
    const isHidden = !showsWriteOnly && definitionOf(resource).writeOnly.includes(field);
    if (!local && !isRenamed && !isHidden) expect(await subject.stored()).not.toEqual(old);
    const isElsewhere = String(ground.record(oldState)) !== String(ground.record(subject.known()));
    if (isElsewhere && leavesNothing) expect(await subject.stored(oldState)).not.toEqual(old);
  });
}

function removal({ open, resource, host }: Pairing, field: string, treatment: Change): void {
  const { means, patch, from, without, local } = treatment;
  if (without === "required") {
    it("cannot be left out", async () => {
      const { stack, ground, with: over } = await open();
      const refusal = await stack.up(await over(ground.full, { [field]: undefined })).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(InputsRefused);
      expect((refusal as InputsRefused).failures.map(({ property }) => property)).toContain(field);
    });
    return;
  }
  if (definitionOf(resource).identity.includes(field)) {
    it("is its default when the program no longer has it, which is another record", async () => {
      const { stack, ground, with: over } = await open();
      await stack.up(ground.full);
      const previewed = stack.preview(await over(ground.full, { [field]: undefined }));
      const shown = await previewed.catch((error: Error) => error.message);
      // Where nothing is mounted there, Terraform's plan is refused: it would delete first.
      const expected = { step: "replace", replaces: expect.arrayContaining([field]) };
      expect(shown).toEqual(
        typeof shown === "string" && host === "terraform"
          ? expect.stringMatching(/^replacing \S+ "\S+": nothing is mounted at mount "/)
          : expected,
      );
    });
    return;
  }
  it("is reset on the server when the program no longer has it", async () => {
    const subject = await open();
    const { stack, ground } = subject;
    const based = await subject.with(ground.full, from);
    const before = field in based ? based : await subject.with(based, patch);
    const after = await subject.with(before, without ?? { [field]: undefined });
    await stack.up(before);
    const old = await subject.stored();
    const row = definitionOf(resource).fields[field];
    if (row === undefined) throw new Error(`${resource} has no ${field}`);
    const isDefault = same(row, before[field], after[field] ?? row.fallback);

    expect((await stack.preview(after)).step).toBe(isDefault ? "same" : means);
    await stack.up(after);
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(after)).toEqual({ step: "same", replaces: [] });
    expect(await subject.stored()).toEqual(await subject.storedAlone(after));
    if (!local && !isDefault) expect(await subject.stored()).not.toEqual(old);
  });
}
