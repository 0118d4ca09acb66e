import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ensureLiveBinary } from "../../tools/live/ensure-live-binary.mts";
import {
  keyOf,
  type LiveBinaryName,
  liveBinaries,
  liveBinaryPath,
  liveCacheFolder,
  liveSources,
} from "../../tools/live/live-binaries.mts";
import { createProgress } from "../../tools/steps/progress.mjs";
import { repository } from "../../tools/steps/repository.mjs";
import { isAlive } from "../../tools/steps/stop-process.mjs";
import { writeGo } from "../support/fake-program.ts";

let folder = "";
let env: { HOME: string; PATH: string; XDG_CACHE_HOME: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trustplane-live-test-"));
  env = { HOME: folder, PATH: `${join(folder, "bin")}:/usr/bin:/bin`, XDG_CACHE_HOME: join(folder, "cache") };
});
afterEach(() => rmSync(folder, { recursive: true }));

const progress = createProgress({ stream: { write: () => true } });
const names = Object.keys(liveBinaries) as LiveBinaryName[];
const fakeGo = (body: string, version?: string) => writeGo(join(folder, "bin"), body, version);
const cached = () => (existsSync(liveCacheFolder(env)) ? readdirSync(liveCacheFolder(env)).sort() : []);
const ensure = (name: LiveBinaryName = "vault-1.21") => ensureLiveBinary(name, { progress, env });
/** What it builds waits after its answer, as a server does. */
const goThatBuilds = (says: string) => `
cat > "$7" <<'END'
#!/bin/sh
echo '${says}'
exec cat
END
chmod +x "$7"; cp go.mod go.sum main.go "$HOME"`;

describe("the name of a binary", () => {
  it("lies in the user's cache folder, outside the repository", () => {
    const { HOME, PATH } = env;
    expect(liveBinaryPath("consul", env)).toMatch(join(folder, "cache", "trustplane", "live", "consul-"));
    expect(liveBinaryPath("consul", { HOME, PATH })).toMatch(join(folder, ".cache", "trustplane", "live", "consul-"));
  });

  it("is another for each server", () => {
    expect(new Set(names.map((name) => basename(liveBinaryPath(name, env)))).size).toBe(names.length);
  });

  it("says from all files of a program that has several", () => {
    const files = readdirSync(join(repository, "test/clients")).filter((file) => /\.(go|mod|sum)$/.test(file));
    expect(files.length).toBeGreaterThan(3);
    expect(Object.keys(liveSources("clients")).sort()).toEqual(files.sort());
  });

  it.each(["main.go", "go.mod", "go.sum"])("changes with %s", (changed) => {
    const sources = liveSources("vault-1.19");
    const others = { ...sources, [changed]: Buffer.concat([sources[changed] ?? Buffer.of(), Buffer.from("\n")]) };
    expect(Object.keys(others)).toEqual(Object.keys(sources));
    expect(keyOf(Object.values(others))).not.toBe(keyOf(Object.values(sources)));
    expect(liveBinaryPath("vault-1.19", env)).toContain(keyOf(Object.values(sources)));
  });
});

describe("getting a binary", () => {
  it("that is there builds nothing and needs no Go", async () => {
    mkdirSync(liveCacheFolder(env), { recursive: true });
    writeFileSync(liveBinaryPath("vault-1.21", env), "");
    env.PATH = "";
    expect(await ensure()).toBe(liveBinaryPath("vault-1.21", env));
  });

  it("builds it once from its own module files, and leaves those of other sources alone", async () => {
    mkdirSync(liveCacheFolder(env), { recursive: true });
    writeFileSync(join(liveCacheFolder(env), "vault-1.19-0123456789abcdef"), "");
    fakeGo(`echo x >> "$HOME/builds"; ${goThatBuilds('"unsealKey"')}`);
    for (let times = 0; times < 2; times++) expect(await ensure("vault-1.19")).toBe(liveBinaryPath("vault-1.19", env));
    expect(readFileSync(join(folder, "builds"), "utf8")).toBe("x\n");
    expect(cached()).toEqual(["vault-1.19-0123456789abcdef", basename(liveBinaryPath("vault-1.19", env))].sort());
    const committed = (name: string) => readFileSync(join(repository, "test/live/vault", name), "utf8");
    expect(readFileSync(join(folder, "go.mod"), "utf8")).toBe(committed("vault-1.19.mod"));
    expect(readFileSync(join(folder, "go.sum"), "utf8")).toBe(committed("vault-1.19.sum"));
    expect(readFileSync(join(folder, "main.go"), "utf8")).toBe(committed("main.go"));
  });

  it("builds with exactly the modules that its go.sum lists", async () => {
    fakeGo(`echo "$GOFLAGS" > "$HOME/flags"; ${goThatBuilds('"unsealKey"')}`);
    await ensure();
    expect(readFileSync(join(folder, "flags"), "utf8")).toContain("-mod=readonly");
  });

  it("two builds at the same time end with one whole binary", async () => {
    fakeGo(`sleep 0.1; ${goThatBuilds("-bootstrap-expect")}`);
    await Promise.all([ensure("consul"), ensure("consul")]);
    expect(cached()).toEqual([basename(liveBinaryPath("consul", env))]);
  });

  it("a build that fails half-way leaves nothing", async () => {
    fakeGo(`echo half > "$7"; echo 'no space left' >&2; exit 1`);
    await expect(ensure()).rejects.toMatchObject({
      step: expect.stringContaining("Vault 1.21.1"),
      lastLines: ["no space left"],
    });
    expect(cached()).toEqual([]);
  });

  it("a binary that does not answer is not used", async () => {
    fakeGo(`printf '#!/bin/sh\\nexit 1\\n' > "$7"; chmod +x "$7"`);
    await expect(ensure()).rejects.toThrow("the built Vault 1.21.1 does not run");
    expect(cached()).toEqual([]);
  });

  it("says what to install when there is no Go", async () => {
    env.PATH = "";
    await expect(ensure()).rejects.toMatchObject({
      name: "StepError",
      message: "there is no go on PATH",
      next: expect.stringContaining("install Go 1.26 or newer"),
    });
  });

  it.each(["go1.25.9", "go1.9", "devel"])("refuses %s before it builds, and says what to install", async (version) => {
    fakeGo(goThatBuilds('"unsealKey"'), version);
    await expect(ensure()).rejects.toMatchObject({
      name: "StepError",
      message: expect.stringContaining("go1.26 or newer is needed"),
      next: expect.stringContaining("install Go 1.26 or newer"),
    });
    expect(existsSync(join(folder, "go.mod"))).toBe(false);
  });

  it.each(["go1.26.8", "go1.27rc1", "devel go1.30-0123abc"])("takes %s", async (version) => {
    fakeGo(goThatBuilds('"unsealKey"'), version);
    await ensure();
    expect(cached()).toHaveLength(1);
  });
});

it("Ctrl-C during a build leaves no file and no process", async () => {
  fakeGo(
    `echo half > "$7"; echo work > "$GOTMPDIR/b001"; echo $$ > "$HOME/pid.new"; mv "$HOME/pid.new" "$HOME/pid"; exec sleep 600`,
  );
  const url = (path: string) => JSON.stringify(pathToFileURL(join(repository, "tools", path)).href);
  const script = `
    import { ensureLiveBinary } from ${url("live/ensure-live-binary.mts")};
    import { endOnInterrupt } from ${url("steps/interrupt.mjs")};
    import { createProgress } from ${url("steps/progress.mjs")};
    endOnInterrupt();
    await ensureLiveBinary("vault-1.21", { progress: createProgress() });`;
  const build = spawn(process.execPath, ["--input-type=module", "--eval", script], { env, stdio: "ignore" });
  const ended = once(build, "exit");
  const pidFile = join(folder, "pid");
  await vi.waitUntil(() => existsSync(pidFile) || build.exitCode !== null, { timeout: 20_000, interval: 20 });
  const goPid = Number(readFileSync(pidFile, "utf8"));
  expect(isAlive(goPid)).toBe(true);
  expect(cached()).toHaveLength(1);
  build.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(cached()).toEqual([]);
  expect(isAlive(goPid)).toBe(false);
});
