// @servers embedded
// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it } from "vitest";
import { lacking } from "../../provider/core/availability.ts";
import type { Definition } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Treatment } from "../support/contract-case.ts";
import { hostNames, hosts } from "../support/contract-host.ts";
import { kindsOfField, representatives } from "../support/contract-kinds.ts";
import { caseOn } from "../support/contract-known.ts";
import { closeServersAfterwards, secretsServer } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { cases } from "./cases/index.ts";

closeServersAfterwards();

const resources = Object.entries<Definition>(definitions);

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
  const untested = fields.filter(([, { means }]) => means !== "replace" && means !== "update").map(([field]) => field);
  const fixed = [...definition.identity, ...definition.replaceOn].filter((field) => !untested.includes(field));
  expect(replacing.sort()).toEqual(fixed.sort());
});

it.each(resources)("%s: what is left out has a reason", (name) => {
  const { fields, skips, spared } = cases[name as keyof typeof cases];
  const reasons = Object.values<Treatment>(fields).flatMap((treatment) =>
    treatment.means === "nothing" ? [treatment.reason] : [],
  );
  for (const reason of [...reasons, ...[...(skips ?? []), ...(spared ? [spared] : [])].map(({ reason }) => reason)])
    expect(reason).toMatch(/\w+ \w+/);
});

it.each(resources)("%s: what is refused is what the server does not know", (name, { fields }: Definition) => {
  const treatments = Object.entries<Treatment>(cases[name as keyof typeof cases].fields);
  const refused = treatments.filter(([, { means }]) => means === "refused").map(([field]) => field);
  const unknown = Object.keys(fields).filter((field) => {
    const needs = fields[field]?.availability;
    return needs !== undefined && lacking(needs, secretsServer) !== undefined;
  });
  expect(refused.sort()).toEqual(unknown.sort());
});

// @covers beyond: cloud.RootConfig > sts_region
it("what an older server does not know is refused there, and set by no other test", async () => {
  const { full, edit } = await cases.cloudRootConfig.prepare(await openWorld());
  expect(Object.keys(full)).toContain("stsRegion");
  expect(await edit(full)).toHaveProperty("region");

  const older = caseOn({ ...secretsServer, version: "1.18.0" }, "cloudRootConfig", cases.cloudRootConfig);
  expect(older.fields.stsRegion).toMatchObject({ means: "refused", patch: { stsRegion: "eu-central-1" } });
  expect(older.fields.region).toEqual(cases.cloudRootConfig.fields.region);
  const ground = await older.prepare(await openWorld());
  const unknown = ["stsRegion", "stsFallbackEndpoints", "stsFallbackRegions"];
  expect(Object.keys(ground.full)).toEqual(Object.keys(full).filter((field) => !unknown.includes(field)));
  expect(older.spellings?.map(({ title }) => title)).not.toContain("empty and unset lists");
  expect(older.spellings).toHaveLength((cases.cloudRootConfig.spellings?.length ?? 0) - 1);
});

describe("the resources that stand for all where a host is tried", () => {
  const kindsOf = (definition: Definition): string[] => {
    const kinds = Object.keys(definition.fields).flatMap((name) => kindsOfField(definition, name));
    const removal = typeof definition.delete === "string" ? definition.delete : "a request";
    return [...kinds, `deleted by: ${removal}`];
  };

  it("have every kind of property that there is", () => {
    const shown = new Set(representatives.flatMap((name) => kindsOf(definitions[name])));
    for (const [name, definition] of resources)
      expect(
        kindsOf(definition).filter((kind) => !shown.has(kind)),
        name,
      ).toEqual([]);
  });
});

it("the suite runs through every host that there is", () => {
  expect(Object.keys(hosts)).toEqual(["engine", "dynamic", "plugin", "terraform"]);
  expect(hostNames).toContain("engine");
});
