import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensurePythonPackages } from "../../tools/live/ensure-python-packages.mts";
import {
  keyOf,
  liveCacheFolder,
  type PythonPackages,
  pythonPackages,
  pythonPath,
  terraformPath,
} from "../../tools/live/live-binaries.mts";
import { createProgress } from "../../tools/steps/progress.mjs";
import { writeScript } from "../support/fake-program.ts";

let folder = "";
let env: { HOME: string; PATH: string; XDG_CACHE_HOME: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trustplane-moto-test-"));
  env = { HOME: folder, PATH: `${join(folder, "bin")}:/usr/bin:/bin`, XDG_CACHE_HOME: join(folder, "cache") };
});
afterEach(() => rmSync(folder, { recursive: true }));

const progress = createProgress({ stream: { write: () => true } });
const ensure = (name: PythonPackages = "moto") => ensurePythonPackages(name, { progress, env });
const cached = () => (existsSync(liveCacheFolder(env)) ? readdirSync(liveCacheFolder(env)) : []);
const environmentName = () => `moto-${keyOf([readFileSync(pythonPackages.moto.requirements)])}`;
const installed = () => join(dirname(dirname(pythonPath("moto", env))), "installed");

/** A Python that makes copies of itself as environments, and whose pip (called with the requirements as `$7`) copies these. */
const fakePython = ({ says = "3.12\\ncomplete\\n", pip = 'cp "$7" "$here/installed"', other = "exit 9" } = {}) =>
  writeScript(
    join(folder, "bin", "python3"),
    `here=$(dirname "$(dirname "$0")")
case "$1 $2" in
  "-m venv") echo x >> "$HOME/environments"; mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
  "-m pip") ${pip} ;;
  *ensurepip*) printf '${says}' ;;
  "-c import importlib.util"*find_spec*) test -e "$here/installed" ;;
  *) ${other} ;;
esac`,
  );

describe("the environment of moto", () => {
  it("holds the pinned requirements and is named by them", async () => {
    fakePython();
    expect(await ensure()).toBe(pythonPath("moto", env));
    expect(cached()).toEqual([environmentName()]);
    expect(readFileSync(installed(), "utf8")).toBe(readFileSync(pythonPackages.moto.requirements, "utf8"));
  });

  it("is made once", async () => {
    fakePython();
    await ensure();
    env.PATH = "/usr/bin:/bin";
    await ensure();
    expect(readFileSync(join(folder, "environments"), "utf8")).toBe("x\n");
  });

  it("is made again when its Python finds moto no more", async () => {
    fakePython();
    await ensure();
    rmSync(installed());
    await ensure();
    expect(existsSync(installed())).toBe(true);
    expect(cached()).toEqual([environmentName()]);
  });

  it("is the first one's when two make it at the same time", async () => {
    fakePython({ pip: 'sleep 0.$(wc -l < "$HOME/environments"); echo "$here" > "$here/installed"' });
    const both = [ensure(), ensure()];
    await Promise.race(both);
    const first = readFileSync(installed(), "utf8");
    await Promise.all(both);
    expect(readFileSync(installed(), "utf8")).toBe(first);
    expect(cached()).toEqual([environmentName()]);
  });

  it("is not there when pip fails half-way", async () => {
    fakePython({ pip: "echo 'No matching distribution found' >&2; exit 1" });
    await expect(ensure()).rejects.toMatchObject({
      lastLines: ["No matching distribution found"],
      next: expect.stringContaining("install Python 3.11 or newer"),
    });
    expect(cached()).toEqual([]);
  });
});

describe("the environment of Terraform", () => {
  it("has a CLI that gives its Python what it is given, and ends as this does", async () => {
    fakePython({ other: 'echo "$1 $3 $4"; exit 3' });
    await ensure("terraform");
    const { status, stdout } = spawnSync(terraformPath("terraform", env), ["plan", "-out=a b"], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 3, stdout: "-c plan -out=a b\n" });
  });
});

describe("a Python that will not do is one clear message with what to install", () => {
  const next = expect.stringMatching(/install Python 3\.11 or newer .*apt install python3-venv/);

  it("none on PATH", async () => {
    env.PATH = "";
    await expect(ensure()).rejects.toMatchObject({ name: "StepError", message: "there is no python3 on PATH", next });
  });

  it.each([
    ["3.9\\ncomplete\\n", /is Python 3\.9; 3\.11 or newer is needed/],
    ["2.7\\ncomplete\\n", /is Python 2\.7; 3\.11 or newer is needed/],
    ["3.12\\n", /cannot make virtual environments: it has no module venv or ensurepip/],
    ["", /does not run/],
  ])("one that says %j", async (says, message) => {
    fakePython({ says });
    await expect(ensure()).rejects.toMatchObject({ name: "StepError", message: expect.stringMatching(message), next });
    expect(cached()).toEqual([]);
  });
});
