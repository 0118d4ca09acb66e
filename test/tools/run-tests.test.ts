import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { isAlive } from "../../tools/steps/stop-process.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trustplane-run-tests-"));
  mkdirSync(join(folder, "tmp"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a file of tests as `npm test` and `npm run test:live` do, with an empty folder for temporary files. */
function runTests(tests: string) {
  writeFileSync(join(folder, "some.test.mjs"), tests);
  const url = (path: string) => JSON.stringify(pathToFileURL(join(repository, "tools", path)).href);
  const script = `
    import { endOnInterrupt } from ${url("steps/interrupt.mjs")};
    import { runTests } from ${url("test/run-tests.mts")};
    endOnInterrupt();
    await runTests(["--globals", "--root", ${JSON.stringify(folder)}]);`;
  const run = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, "tmp") },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  run.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  return { run, ended: once(run, "close").then(([code]) => ({ code, lastLine: output.trimEnd().split("\n").at(-1) })) };
}

it("the last line has the numbers, the code says whether something failed, and no temporary file stays", async () => {
  const { ended } = runTests(`
    import { existsSync, mkdtempSync } from "node:fs";
    import { tmpdir } from "node:os";
    import { join } from "node:path";
    it("passes", () => expect(existsSync(mkdtempSync(join(tmpdir(), "left-behind-")))).toBe(true));
    it("fails", () => expect(1).toBe(2));
    it.skip("is skipped", () => {});`);
  expect(await ended).toEqual({ code: 1, lastLine: "1 passed, 1 failed, 1 skipped" });
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

it("Ctrl-C leaves neither what the tests have started nor their temporary files", async () => {
  const pidFile = join(folder, "pid");
  const { run, ended } = runTests(`
    import { spawn } from "node:child_process";
    import { mkdtempSync, renameSync, writeFileSync } from "node:fs";
    import { tmpdir } from "node:os";
    import { join } from "node:path";
    it("never ends", { timeout: 600_000 }, async () => {
      mkdtempSync(join(tmpdir(), "left-behind-"));
      const server = spawn("sleep", ["600"], { detached: true });
      writeFileSync(${JSON.stringify(`${pidFile}.new`)}, String(server.pid));
      renameSync(${JSON.stringify(`${pidFile}.new`)}, ${JSON.stringify(pidFile)});
      await new Promise(() => {});
    });`);
  await vi.waitUntil(() => existsSync(pidFile) || run.exitCode !== null, { timeout: 20_000, interval: 20 });
  const serverPid = Number(readFileSync(pidFile, "utf8"));
  expect(isAlive(serverPid)).toBe(true);
  run.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130 });
  expect(isAlive(serverPid)).toBe(false);
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});
