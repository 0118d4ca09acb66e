import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { isAlive } from "../../tools/steps/stop-process.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trustplane-run-tests-"));
  mkdirSync(join(folder, "tmp"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a file of tests as `npm test` and `npm run test:live` do, with an empty folder for temporary files. */
function runTests(tests: string, options = "{}") {
  writeFileSync(join(folder, "some.test.mjs"), tests);
  const url = (path: string) => JSON.stringify(pathToFileURL(join(repository, "tools", path)).href);
  const script = `
    import { endOnInterrupt } from ${url("steps/interrupt.mjs")};
    import { runTests } from ${url("test/run-tests.mts")};
    endOnInterrupt();
    await runTests(["--globals", "--root", ${JSON.stringify(folder)}], ${options});`;
  const run = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, "tmp") },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  run.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  return {
    run,
    ended: once(run, "close").then(([code]) => ({ code, output, lastLine: output.trimEnd().split("\n").at(-1) })),
  };
}

it("the last line has the numbers, the code says whether something failed, and no temporary file stays", async () => {
  const { ended } = runTests(`
    import { existsSync, mkdtempSync } from "node:fs";
    import { tmpdir } from "node:os";
    import { join } from "node:path";
    it("passes", () => expect(existsSync(mkdtempSync(join(tmpdir(), "left-behind-")))).toBe(true));
    it("fails", () => expect(1).toBe(2));
    it.skip("is skipped", () => {});`);
  expect(await ended).toMatchObject({ code: 1, lastLine: "1 passed, 1 failed, 1 skipped" });
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
});

describe("a whole run", () => {
  const whole = "{ isWhole: true }";

  it("runs a file that failed once more by itself, and names it as unsteady when it passes then", async () => {
    const mark = JSON.stringify(join(folder, "was-here"));
    const { ended } = runTests(
      `import { existsSync, writeFileSync } from "node:fs";
      it("passes the second time", () => {
        const wasHere = existsSync(${mark});
        writeFileSync(${mark}, "");
        expect(wasHere).toBe(true);
      });`,
      whole,
    );
    const { code, output, lastLine } = await ended;
    expect({ code, lastLine }).toEqual({ code: 0, lastLine: "1 passed, 0 failed, 0 skipped" });
    expect(output).toMatch(/unsteady, .*: some\.test\.mjs: passes the second time: expected false to be true/);
  });

  it("is red when the file fails again", async () => {
    const { ended } = runTests('it("fails", () => expect(1).toBe(2));', whole);
    const { code, output, lastLine } = await ended;
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: "0 passed, 1 failed, 0 skipped" });
    expect(output).toContain("some.test.mjs failed, and is run once more by itself");
    expect(output).not.toContain("unsteady,");
  });
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
