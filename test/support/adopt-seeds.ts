import { expect } from "vitest";
import { namedType, typeOfProperty } from "../../cli/commands/adopt/property-types.ts";
import type { FoundRecord } from "../../cli/sources/servers/found-record.ts";
import { judge } from "../../cli/sources/servers/hidden-values.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { same } from "../../provider/core/field.ts";
import { fill } from "../../provider/core/template.ts";
import { definitions, singles } from "../../provider/resources/index.ts";
import { arbitraryInputs } from "./arbitrary-inputs.ts";
import { fc } from "./fast-check.ts";
import type { DefinitionName } from "./valid-inputs.ts";

/** Texts that would be code if they were pasted into it, or that look like another text. */
const HOSTILE = [
  '"); console.log("called"); ("',
  "'); console.log('called'); ('",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
  "`${console.log('called')}`",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
  "${console.log(1)}",
  "*/ console.log(1) /*",
  "</script>",
  "\\",
  '\\"',
  "\n\nconsole.log(1)\n",
  "\r\n",
  "\u0000\u0007\u001b[2J",
  "\u2028\u2029\ufeff\u202e\u200b\u00a0",
  "\ud800",
  "日本語 🔑",
  "__proto__",
  "constructor",
  "class",
  "trustplane",
  "undefined",
  "",
];
export const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary" }), fc.string());
/** The resources that a server can show. */
export const adoptedNames = Object.keys(singles).filter((name) => {
  const { parts, create }: Definition = definitions[name as DefinitionName];
  return !parts && create.sends !== "nothing";
}) as DefinitionName[];

/** What a server may have: valid inputs, with texts of anybody in every place that takes one. */
interface Seed {
  readonly inputs: Values;
  readonly text: string;
  readonly map: Values;
  readonly label: string;
}

export function arbitrarySeeds(name: DefinitionName): fc.Arbitrary<Seed[]> {
  const label = hostile.filter((text) => text !== "");
  const seed = fc.record({ inputs: arbitraryInputs(name), text: hostile, map: fc.dictionary(hostile, hostile), label });
  return fc.uniqueArray(seed, { selector: ({ label }) => label, maxLength: 6 });
}

export function recordFrom(definition: Definition, { inputs, text, map, label }: Seed): FoundRecord {
  const values = Object.entries(inputs).map(([property, value]) => [
    property,
    isClosed(definition, property) ? value : poisoned(value, text, map),
  ]);
  return recordOf(definition, { ...Object.fromEntries(values), [definition.label]: label });
}

/** Whether it is made of words, or of records with members of their own: no server has others. */
function isClosed(definition: Definition, property: string): boolean {
  const type = typeOfProperty(definition, property);
  return namedType(type.items ?? type) !== undefined;
}

function poisoned(value: unknown, text: string, map: Values): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return [...value, text];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, ...map } : value;
}

export function recordOf(definition: Definition, values: Values): FoundRecord {
  const judgement = judge(definition, values);
  const hidden = "hidden" in judgement ? judgement.hidden : [];
  return {
    definition,
    id: fill(definition.id, { policySetId: values["name"], ...values, parameterId: values["key"] }),
    values,
    place: { values: {} },
    hidden,
  };
}

/** What a program gives a resource is what the record has, in the property's own sense. */
export function expectSame({ definition, values, hidden }: FoundRecord, args: Values): void {
  const isHidden = (name: string) => hidden.some(({ property }) => property === name);
  for (const [name, field] of Object.entries(definition.fields).filter(([name]) => !isHidden(name))) {
    const given = args[name] ?? field.fallback;
    const isSame = JSON.stringify(given) === JSON.stringify(values[name]) || same(field, given, values[name]);
    expect(isSame, `${definition.token} ${name}: ${JSON.stringify([given, values[name]])}`).toBe(true);
  }
  expect(Object.keys(args).filter((name) => !(name in definition.fields))).toEqual([]);
}
