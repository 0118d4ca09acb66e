import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SuiteOptions } from "vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensurePythonPackages } from "../../tools/live/ensure-python-packages.mts";
import { findPython } from "../../tools/live/find-python.mts";
import { committedSdk, generatedSdk, type LanguageName, languages } from "../../tools/sdks/sdk-files.mts";
import { findGo } from "../../tools/steps/find-go.mjs";
import { createProgress } from "../../tools/steps/progress.mjs";
import { repository } from "../../tools/steps/repository.mjs";
import { StepError } from "../../tools/steps/step-error.mjs";
import { goSdkCheck } from "../../tools/test/go-programs.mts";
import { goProgram, needsGo, needsGoProgram } from "../support/go-program.ts";
import { unlessThere } from "../support/unless-there.ts";

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
    const { stdout } = await run(findGo(process.env), [...goSdkCheck.args], goSdkCheck.options);
    expect(stdout).toBe("");
  });
});

describe("the Python SDK", needsPython(), () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-python-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("registers resources, calls functions and takes nested types, enums and a provider", {
    timeout: firstTimeMs,
  }, async () => {
    const python = await ensurePythonPackages("pulumi", { progress: createProgress() });
    // A build leaves its files beside the sources.
    cpSync(join(repository, "sdk/python"), join(folder, "sources"), { recursive: true });
    const from = ["--no-deps", "--no-build-isolation", "--target", join(folder, "installed"), join(folder, "sources")];
    await run(python, ["-m", "pip", "--disable-pip-version-check", "install", ...from]);
    const env = { ...process.env, PYTHONPATH: join(folder, "installed") };
    const { stdout } = await run(python, [join(repository, "test/package-schema/python_program.py")], { env });
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

/** Options of a suite that runs Python with packages, which is skipped with the reason where there is none. */
function needsPython(): SuiteOptions {
  try {
    findPython(process.env);
    return {};
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return unlessThere(false, error.message);
  }
}
