import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { quoted } from "../../cli/adopt/code.ts";
import type { FoundRecord } from "../../cli/adopt/found-record.ts";
import { judge } from "../../cli/adopt/hidden-values.ts";
import { programOf } from "../../cli/adopt/program.ts";
import { typeScriptFile } from "../../cli/adopt/typescript.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { same } from "../../provider/core/field.ts";
import { fill } from "../../provider/core/template.ts";
import { definitions, singles } from "../../provider/resources/index.ts";
import { evaluated } from "../support/adopt-evaluate.ts";
import { arbitraryInputs } from "../support/arbitrary-inputs.ts";
import { fc } from "../support/fast-check.ts";
import { testExtent } from "../support/test-extent.mts";
import type { DefinitionName } from "../support/valid-inputs.ts";
import { temporaryFolder } from "./adopt-harness.ts";

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
const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary" }), fc.string());
const names = Object.keys(singles).filter((name) => {
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

function arbitrarySeeds(name: DefinitionName): fc.Arbitrary<Seed[]> {
  const label = hostile.filter((text) => text !== "");
  const seed = fc.record({ inputs: arbitraryInputs(name), text: hostile, map: fc.dictionary(hostile, hostile), label });
  return fc.uniqueArray(seed, { selector: ({ label }) => label, maxLength: 6 });
}

function recordFrom(definition: Definition, { inputs, text, map, label }: Seed): FoundRecord {
  const values = Object.entries(inputs).map(([property, value]) => [property, poisoned(value, text, map)]);
  return recordOf(definition, { ...Object.fromEntries(values), [definition.label]: label });
}

function poisoned(value: unknown, text: string, map: Values): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return [...value, text];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, ...map } : value;
}

function recordOf(definition: Definition, values: Values): FoundRecord {
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
function expectSame({ definition, values, hidden }: FoundRecord, args: Values): void {
  const isHidden = (name: string) => hidden.some(({ property }) => property === name);
  for (const [name, field] of Object.entries(definition.fields).filter(([name]) => !isHidden(name))) {
    const given = args[name] ?? field.fallback;
    const isSame = JSON.stringify(given) === JSON.stringify(values[name]) || same(field, given, values[name]);
    expect(isSame, `${definition.token} ${name}: ${JSON.stringify([given, values[name]])}`).toBe(true);
  }
  expect(Object.keys(args).filter((name) => !(name in definition.fields))).toEqual([]);
}

describe("a generated program", () => {
  it.each(names)("of %s evaluates to the values of the records, whatever these are", (name) => {
    fc.assert(
      fc.property(arbitrarySeeds(name), fc.boolean(), (seeds, fold) => {
        const records = seeds.map((seed) => recordFrom(definitions[name], seed));
        const { files, secrets } = programOf(records);
        const configuration = Object.fromEntries(secrets.map(({ key, property }) => [key, `secret of ${property}`]));
        const options = { library: "trustplane/native", fold };
        const made = files.flatMap((file) => evaluated(typeScriptFile(file, options), configuration));
        expect(made).toHaveLength(records.length);
        const byName = new Map(files.flatMap(({ resources }) => resources.map(({ name, id }) => [name, id] as const)));
        for (const { name: resource, args } of made) {
          const record = records.find(({ id }) => id === byName.get(resource));
          expect(record).toBeDefined();
          if (record) expectSame(record, args);
        }
      }),
      { numRuns: testExtent === "whole" ? 100 : 25 },
    );
  });

  it("makes no resource while the configuration lacks what no server shows", () => {
    const definition = definitions.cloudRootConfig;
    const record = recordOf(definition, { mount: "cloud", accessKey: "AKIAEXAMPLE" });
    const [file] = programOf([record]).files;
    const text = file ? typeScriptFile(file, { library: "trustplane/native", fold: true }) : "";
    expect(evaluated(text)).toEqual([]);
    const [made] = evaluated(text, { cloudSecretKey: "given" });
    expect(made).toMatchObject({
      args: { accessKey: "AKIAEXAMPLE", secretKey: "given" },
      options: { retainOnDelete: true },
    });
  });

  it("escapes what a reader would not see", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const code = quoted(text);
        expect(code).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u200b\u00a0]/u);
        const { outputText } = ts.transpileModule(`exports.text = ${code};`, {});
        const exports: { text?: string } = {};
        new Function("exports", outputText)(exports);
        expect(exports.text).toBe(text);
      }),
    );
  });
});

describe("the text of a generated program", () => {
  const role = (name: string, own: Values = {}) =>
    recordOf(definitions.jwtRole, {
      mount: "jwt",
      name,
      roleType: "jwt",
      userClaim: "sub",
      boundAudiences: ["https://vault.example.com"],
      ...own,
    });
  const long = "x".repeat(90);
  const records = [
    role("build", { tokenPolicies: ["a", "b"] }),
    role("deploy", { boundClaims: { [long]: long, ref: [long, "main"], "a b": 'say "yes"', it: "it's" } }),
    role("nightly", { boundSubject: long, tokenTtl: "1h", claimMappings: { ref: long } }),
    role("by-email", { userClaim: "email", oidcScopes: Array.from({ length: 12 }, (_, index) => `scope-${index}`) }),
    recordOf(definitions.cloudRootConfig, { mount: "cloud", accessKey: "AKIAEXAMPLE", iamEndpoint: `https://${long}` }),
    recordOf(definitions.jwtConfig, { mount: "jwt", jwtValidationPubkeys: ["-----BEGIN-----\na\nb\n-----END-----\n"] }),
    recordOf(definitions.cloudRole, {
      mount: "cloud",
      name: "read",
      credentialType: "iam_user",
      policyDocument: JSON.stringify({
        Statement: [
          { Action: ["a", "b"], Effect: "Allow" },
          { Action: [long], Effect: "Deny" },
        ],
      }),
    }),
    ...["a", "b", "c"].map((name) =>
      recordOf(definitions.jwtRole, { mount: "jwt", name, roleType: "jwt", userClaim: "sub" }),
    ),
  ];
  const texts = [true, false].flatMap((fold) =>
    programOf(records).files.map((file) => typeScriptFile(file, { library: "trustplane/native", fold })),
  );

  it("is as a formatter would have it, in 100 columns", () => {
    const folder = temporaryFolder();
    const formatter = { indentStyle: "space", indentWidth: 2, lineWidth: 100 };
    writeFileSync(join(folder, "biome.json"), JSON.stringify({ formatter }));
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${index}.ts`), text);
    const biome = join(__dirname, "../../node_modules/.bin/biome");
    execFileSync(biome, ["format", ...texts.map((_, index) => `${index}.ts`)], { cwd: folder, stdio: "pipe" });
  });
});
