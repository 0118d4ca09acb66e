// @run test: generated values by the dozen
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { quoted } from "../../cli/commands/adopt/code.ts";
import { programOf } from "../../cli/commands/adopt/program.ts";
import { typeScriptFile } from "../../cli/commands/adopt/typescript.ts";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { evaluated } from "../support/adopt-evaluate.ts";
import { adoptedNames, arbitrarySeeds, expectSame, recordFrom, recordOf } from "../support/adopt-seeds.ts";
import { fc } from "../support/fast-check.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { testExtent } from "../support/test-extent.mts";

describe("a generated program", () => {
  it.each(adoptedNames)("of %s evaluates to the values of the records, whatever these are", (name) => {
    fc.assert(
      fc.property(arbitrarySeeds(name), fc.boolean(), (seeds, fold) => {
        const records = seeds.map((seed) => recordFrom(definitions[name], seed));
        const { files, secrets } = programOf(records);
        const configuration = Object.fromEntries(secrets.map(({ key, property }) => [key, `secret of ${property}`]));
        const options = { library: "trustplane/native", adopted: "adopted", fold };
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
    const text = file ? typeScriptFile(file, { library: "trustplane/native", adopted: "adopted", fold: true }) : "";
    expect(evaluated(text)).toEqual([]);
    const [made] = evaluated(text, { cloudSecretKey: "given" });
    expect(made).toMatchObject({
      args: { accessKey: "AKIAEXAMPLE", secretKey: "given", takeOver: "always" },
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
    programOf(records).files.map((file) =>
      typeScriptFile(file, { library: "trustplane/native", adopted: "adopted", fold }),
    ),
  );

  it("is as a formatter would have it, in 100 columns", () => {
    const folder = folderOfTest();
    const formatter = { indentStyle: "space", indentWidth: 2, lineWidth: 100 };
    writeFileSync(join(folder, "biome.json"), JSON.stringify({ formatter }));
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${index}.ts`), text);
    const biome = join(__dirname, "../../node_modules/.bin/biome");
    execFileSync(biome, ["format", ...texts.map((_, index) => `${index}.ts`)], { cwd: folder, stdio: "pipe" });
  });
});
