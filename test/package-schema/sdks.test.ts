import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { committedSdk, generatedSdk, type LanguageName, languages } from "../../tools/sdks/sdk-files.mts";
import { findGo } from "../../tools/steps/find-go.mjs";
import { repository } from "../../tools/steps/repository.mjs";
import { goProgram, needsGo, needsGoProgram } from "../support/go-program.ts";
import { installPythonSdk, needsPython } from "../support/python-sdk.ts";
import { folderOfSuite } from "../support/temporary-folder.ts";

/** How Pulumi marks a value as a secret, in every language. */
const secretMark = "4dabf18193072939515e22adb298388d";
const secret = "1b47061264138c4ac30d75fd1eb44270";

/** The first time, Go compiles Pulumi's SDK, and pip fetches it. */
const firstTimeMs = 600_000;
const run = promisify(execFile);

describe("the SDKs that Pulumi's generators write", needsGoProgram("package-schema"), () => {
  let program: string;
  beforeAll(async () => {
    program = await goProgram("package-schema");
  }, firstTimeMs);

  test.each(Object.keys(languages) as LanguageName[])(
    "for %s are committed: else `npm run generate:sdks`",
    async (language) => {
      const [committed, generated] = [committedSdk(language), await generatedSdk(program, language)];
      expect(Object.keys(committed)).toEqual(Object.keys(generated).sort());
      expect(Object.keys(generated).filter((path) => committed[path] !== generated[path])).toEqual([]);
    },
  );
});

describe("the Go SDK", needsGo(), () => {
  test("compiles from the modules that its go.sum lists", { timeout: firstTimeMs }, async () => {
    const { stdout } = await run(findGo(process.env), ["vet", "./..."], {
      cwd: join(repository, "sdk/go"),
      env: { ...process.env, GOFLAGS: "-mod=readonly", GOWORK: "off" },
    });
    expect(stdout).toBe("");
  });
});

describe("the Python SDK", needsPython(), () => {
  const folder = folderOfSuite();

  test("registers resources, calls functions and takes nested types, enums and a provider", {
    timeout: firstTimeMs,
  }, async () => {
    const python = await installPythonSdk(folder);
    const stdout = await python(join(repository, "test/package-schema/python_program.py"));
    expect(JSON.parse(stdout)).toEqual([
      { type: "pulumi:providers:trustplane", inputs: { secrets: '{"address": "http://127.0.0.1:8200"}' } },
      {
        type: "trustplane:cloud/rootConfig:RootConfig",
        inputs: {
          accessKey: "id",
          mount: "cloud",
          onDelete: "forget",
          secretKey: { [secretMark]: secret, value: "key" },
        },
      },
      {
        type: "trustplane:jwt/config:Config",
        inputs: { jwksPairs: [{ jwksUrl: "https://keys.example.com" }], mount: "jwt" },
      },
      { function: "trustplane:jwt/getRoles:getRoles", args: { mount: "jobs" } },
      {
        type: "trustplane:jwt/role:Role",
        inputs: {
          boundClaims: { project: ["a", "b"], protected: true },
          mount: "jwt",
          name: "ci",
          roleType: "jwt",
          tokenTtl: "15m",
          userClaim: "sub",
        },
      },
      {
        type: "trustplane:policy/parameter:Parameter",
        inputs: { key: "regions", policySetId: "polset-demo000000000001", sensitive: true, value: "eu" },
      },
    ]);
  });
});
