import { expect, it } from "vitest";
import { definitions } from "../../provider/resources/index.ts";
import type { Treatment } from "../support/contract-case.ts";
import { hostNames } from "../support/contract-host.ts";
import { cases } from "./cases/index.ts";

const resources = Object.entries(definitions);

it("every resource of the index has a case file", () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(definitions).sort());
});

it.each(resources)("%s: every field has a treatment", (name, definition) => {
  const { fields } = cases[name as keyof typeof cases];
  expect(Object.keys(fields).sort()).toEqual(Object.keys(definition.fields).sort());
});

it.each(resources)("%s: every property that identifies it, and only what must, replaces", (name, definition) => {
  const fields = Object.entries<Treatment>(cases[name as keyof typeof cases].fields);
  const replacing = fields.filter(([, { means }]) => means === "replace").map(([field]) => field);
  const untested = fields.filter(([, { means }]) => means === "nothing").map(([field]) => field);
  const fixed = [...definition.identity, ...definition.replaceOn].filter((field) => !untested.includes(field));
  expect(replacing.sort()).toEqual(fixed.sort());
});

it.each(resources)("%s: what is left out has a reason", (name) => {
  const { fields, skips } = cases[name as keyof typeof cases];
  const reasons = Object.values<Treatment>(fields).flatMap((treatment) =>
    treatment.means === "nothing" ? [treatment.reason] : [],
  );
  for (const reason of [...reasons, ...(skips ?? []).map((skip) => skip.reason)]) expect(reason).toMatch(/\w+ \w+/);
});

it("the suite runs through every host that there is", () => {
  expect(hostNames).toEqual(["engine", "dynamic"]);
});
