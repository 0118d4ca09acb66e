// @run test: generated values by the dozen

import { describe, expect, it } from "vitest";
import { checkResource as check } from "../../../provider/core/check-set";
import type { Definition, Values, WireRecord } from "../../../provider/core/definition";
import { type Difference, diff } from "../../../provider/core/diff";
import { type Field, isUnset, same } from "../../../provider/core/field";
import { secretProperties } from "../../../provider/core/fingerprint";
import { DEFAULTS, recordsIn, withRecords } from "../../../provider/core/members";
import { bodyOf, stateOf } from "../../../provider/core/record";
import { fill, parse, placeholders } from "../../../provider/core/template";
import { isRecord, UNKNOWN } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { arbitraryInputs, arbitraryValue } from "../../support/arbitrary-inputs";
import { fc } from "../../support/fast-check.ts";
import { answerAfter } from "../../support/server-answers";
import { type DefinitionName, validInputs } from "../../support/valid-inputs";

const names = Object.keys(definitions) as DefinitionName[];
const NOTHING = { changed: [], replaces: [] };

/** Also of a set, whose difference names the records that differ. */
function expectNothing({ records, ...difference }: Difference): void {
  expect(difference).toEqual(NOTHING);
  expect(records ?? []).toEqual([]);
}

/** What is attached to a record is in no body of it: what the server shows of it after a write of its own. */
function shownAfter(definition: Definition, values: Values): WireRecord {
  const alias: unknown = values["alias"];
  const isShown = definition.attached !== undefined && isRecord(alias);
  const shown = isShown ? { alias: { mount_path: `auth/${String(alias["mount"])}/`, name: alias["name"] } } : {};
  return { ...bodyOf(definition, values), ...shown };
}

type StateOf = (definition: Definition, inputs: Values) => Values;

/** The state of a single record, or of a set from the states of its records. */
function stateBy(stateOf: StateOf, definition: Definition, inputs: Values): Values {
  const { members } = definition;
  if (!members) return stateOf(definition, inputs);
  const records = [...recordsIn(definition, members, inputs)].map(
    ([name, record]) => [name, stateOf(members.of, record)] as const,
  );
  return withRecords(definition, members, inputs, new Map(records));
}

function hasNamedMembers(field: Field | undefined): boolean {
  return field !== undefined && "shape" in field.schema;
}

describe.each(names)("%s", (name) => {
  const definition: Definition = definitions[name];
  const written = arbitraryInputs(name);
  const checked = written.map((inputs) => check(definition, inputs).inputs);
  const always = (holds: (inputs: Values) => void) => fc.assert(fc.property(checked, holds));

  it("checks what it has checked to the same", () => {
    always((inputs) => {
      expect(check(definition, inputs)).toMatchObject({ inputs, failures: [] });
      expect(check(definition, inputs, inputs).inputs).toEqual(inputs);
    });
  });

  it("takes what was written and the form that it records for the same value", () => {
    for (const [key, field] of Object.entries(definition.fields)) {
      const isSame = fc.property(arbitraryValue(field.schema), (value) => {
        expect([key, same(field, value, field.normalise(value))]).toEqual([key, true]);
      });
      fc.assert(isSame, { numRuns: 50 });
    }
  });

  it("refuses what would break a path, wherever it stands in one: half a character, and NUL", () => {
    const [inputs] = validInputs[name];
    const inPath = Object.keys(definition.fields).filter((key) => definition.fields[key]?.place === "path");
    for (const key of inPath) {
      for (const text of ["a\ud800", "a\0"]) {
        const { failures } = check(definition, { ...inputs, [key]: text });
        expect(failures.map(({ property }) => property)).toContain(key);
      }
    }
  });

  it("finds no difference between equal inputs", () => {
    always((inputs) => {
      expectNothing(diff(definition, inputs, structuredClone(inputs)));
    });
  });

  it("finds the same differences forwards and backwards", () => {
    const pairs = fc.tuple(checked, checked);
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(diff(definition, a, b).changed).toEqual(diff(definition, b, a).changed);
      }),
    );
  });

  it.each(["null", "as sent"] as const)("reads what it wrote as no difference, emptiness %s", (empty) => {
    const readBack: StateOf = (of, values) => stateOf(of, answerAfter(of, shownAfter(of, values), empty), values);
    always((inputs) => expectNothing(diff(definition, stateBy(readBack, definition, inputs), inputs)));
  });

  it("records its own body as no difference, before anything is read back", () => {
    const sent: StateOf = (of, values) => stateOf(of, shownAfter(of, values), values);
    always((inputs) => expectNothing(diff(definition, stateBy(sent, definition, inputs), inputs)));
  });

  it("reads a record that is new to it as what was written, but for what the server does not answer", () => {
    const isNew: StateOf = (of, values) => {
      const known = placeholders(of.create.path + of.id).map((key) => [key, values[key]] as const);
      const address = Object.fromEntries(known.filter(([, value]) => value !== undefined));
      return stateOf(of, answerAfter(of, shownAfter(of, values), "null"), address);
    };
    const expectKnown = (of: Definition, { changed }: Difference, inputs: Values) => {
      const local = Object.keys(of.fields).filter((key) => of.fields[key]?.place === "local");
      const chosen = Object.keys(of.fields).filter((key) => of.fields[key]?.isServersChoice);
      const hidden = [...of.writeOnly, ...secretProperties(of, inputs), ...local, ...chosen];
      expect(changed.filter((key) => !hidden.includes(key))).toEqual([]);
    };
    always((inputs) => {
      const difference = diff(definition, stateBy(isNew, definition, inputs), inputs);
      expectKnown(definition, difference, inputs);
      for (const record of difference.records ?? []) {
        expect(record.before).toBeDefined();
        expectKnown(definition.members?.of ?? definition, record, record.after ?? {});
      }
    });
  });

  it("finds its identity in its id", () => {
    const outputs = fc.record({
      parameterId: fc.stringMatching(/^var-[A-Za-z0-9]{16}$/),
      policySetId: fc.stringMatching(/^polset-[A-Za-z0-9]{16}$/),
    });
    fc.assert(
      fc.property(checked, outputs, (inputs, known) => {
        const values: Values = { ...known, ...inputs };
        const parts = placeholders(definition.id).filter((key) => values[key] !== undefined && values[key] !== "");
        expect(parse(definition.id, fill(definition.id, values))).toEqual(
          Object.fromEntries(parts.map((key) => [key, values[key]])),
        );
      }),
    );
  });

  it("accepts a value that is not known yet at every property", () => {
    const property = fc.constantFrom(...Object.keys(definition.fields));
    fc.assert(
      fc.property(written, property, fc.constantFrom(UNKNOWN, [UNKNOWN], { x: UNKNOWN }), (inputs, at, unknown) => {
        // A part of the defaults that is not known stands at the name of a setting; so does one of a record.
        fc.pre((at !== DEFAULTS && !hasNamedMembers(definition.fields[at])) || unknown === UNKNOWN);
        const { failures } = check(definition, { ...inputs, [at]: unknown });
        expect(failures).toEqual([]);
      }),
    );
  });

  it("takes a removed property for a difference, unless it was the server's default", () => {
    always((inputs) => {
      for (const [key, value] of Object.entries(inputs)) {
        const field = definition.fields[key];
        // Of the settings that all records of a set have, what the records become of them is the difference.
        if (definition.members && key === DEFAULTS) continue;
        const { [key]: _, ...rest } = inputs;
        const news = check(definition, rest);
        if (field === undefined || news.failures.length > 0) continue;
        expect([key, diff(definition, inputs, news.inputs).changed.includes(key)]).toEqual([
          key,
          !isUnset(field, value),
        ]);
      }
    });
  });

  // @covers cloud: What the service does > another mount
  it("replaces when a part of its identity changes, and updates in place when another property does", () => {
    const [start] = validInputs[name];
    const { inputs } = check(definition, start);
    const fixed = [...definition.identity, ...definition.replaceOn];
    for (const key of Object.keys(definition.fields)) {
      const { replaces } = diff(definition, inputs, { ...inputs, [key]: UNKNOWN });
      if (fixed.includes(key)) expect(replaces).toContain(key);
      else
        expect([key, replaces]).toEqual([
          key,
          replaces.filter((other) => other !== key || definition.replaceWhen !== undefined),
        ]);
    }
  });
});
