// @run test: generated values by the dozen

import { describe, expect, it } from "vitest";
import { checkResource } from "../../../provider/core/check-set";
import type { Definition } from "../../../provider/core/definition";
import { definitions } from "../../../provider/resources";
import { arbitraryInputs } from "../../support/arbitrary-inputs";
import { fc } from "../../support/fast-check.ts";
import { type DefinitionName, validInputs } from "../../support/valid-inputs";

const names = Object.keys(definitions) as DefinitionName[];

describe.each(names)("the inputs of %s that the tests make up", (name) => {
  const definition: Definition = definitions[name];

  it("pass the check", () => {
    const made = fc.sample(arbitraryInputs(name), { numRuns: 50, seed: 1 });
    for (const inputs of [...validInputs[name], ...made])
      expect(checkResource(definition, inputs).failures).toEqual([]);
  });

  it("reach every property", () => {
    const missing = new Set(Object.keys(definition.fields));
    const reach = (inputs: object) => {
      for (const property of Object.keys(inputs)) missing.delete(property);
    };
    validInputs[name].forEach(reach);
    // Most are reached soon; generating many takes seconds.
    for (let seed = 1; seed <= 40 && missing.size > 0; seed++)
      fc.sample(arbitraryInputs(name), { numRuns: 50, seed }).forEach(reach);
    expect([...missing]).toEqual([]);
  });
});
