import { expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import type { Definition, Values } from "../../../provider/core/definition";
import { definitions } from "../../../provider/resources";
import { type DefinitionName, validInputs } from "../../support/valid-inputs";

/** Changes to valid inputs, the property that is refused for them, and a word of the reason. */
export type Refusal = readonly [changes: Values, property: string, reason: RegExp | string];

interface Tables {
  /** Neighbours of what is refused, which pass without a word. */
  readonly accepted: readonly Values[];
  readonly refused: readonly Refusal[];
  /** What passes with a word of advice: a document's stricter rule, or what the servers find out late. */
  readonly advised?: readonly Refusal[];
}

/** One test for every row: of `resource`, written in the way of its valid inputs number `way`. */
export function expectRefusals(
  resource: DefinitionName,
  way: number,
  { accepted, refused, advised = [] }: Tables,
): void {
  const definition: Definition = definitions[resource];
  const start = validInputs[resource][way];
  if (start === undefined) throw new Error(`${resource} has no valid inputs number ${way}`);
  const checked = (changes: Values) => check(definition, { ...start, ...changes });

  it.each(accepted)("accepts %j", (changes) => {
    expect(checked(changes)).toMatchObject({ failures: [], warnings: [] });
  });

  it.each(refused)("refuses %j at %s", (changes, property, reason) => {
    const { failures } = checked(changes);
    expect(failures.map((failure) => failure.property)).toEqual([property]);
    expect(failures[0]?.reason).toMatch(reason);
  });

  it.each(advised)("warns of %j at %s", (changes, property, reason) => {
    const { failures, warnings } = checked(changes);
    expect(failures).toEqual([]);
    expect(warnings.map((warning) => warning.property)).toEqual([property]);
    expect(warnings[0]?.reason).toMatch(reason);
  });
}
