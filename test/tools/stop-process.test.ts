import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, vi } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { isAlive, stopProcess } from "../../tools/steps/stop-process.mjs";

const endWithParent = join(repository, "tools", "pulumi", "end-with-parent.cjs");
const forEver = "setInterval(() => {}, 1000);";

/** Starts a process that starts another one in a process group of its own, as Pulumi does with plugins. */
async function startTree({ child, parent = "" }: { child: string; parent?: string }) {
  const options = "{ detached: true, stdio: ['ignore', 'pipe', 'ignore'] }";
  const script = `
    const child = require("node:child_process").spawn(process.execPath, ${child}, ${options});
    child.stdout.once("data", () => console.log(child.pid));
    ${parent} ${forEver}`;
  const tree = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const [line] = (await once(createInterface({ input: tree.stdout }), "line")) as [string];
  return { tree: tree as ChildProcess, childPid: Number(line) };
}

const ready = "console.log('ready');";

it("whatever a process started ends with it, also in other process groups and deaf to SIGTERM", async () => {
  const deaf = `process.on("SIGTERM", () => {});`;
  const child = JSON.stringify(["-e", `${deaf} ${ready} ${forEver}`]);
  const { tree, childPid } = await startTree({ child, parent: deaf });
  await stopProcess(tree.pid, { graceMs: 200 });
  await vi.waitFor(() => expect([tree.exitCode ?? tree.signalCode, isAlive(childPid)]).toEqual(["SIGKILL", false]));
});

it("a process that ends in order is not killed", async () => {
  const tree = spawn(process.execPath, ["-e", `process.on("SIGINT", () => process.exit(7)); ${ready} ${forEver}`]);
  await once(tree.stdout, "data");
  const [[code]] = await Promise.all([once(tree, "exit"), stopProcess(tree.pid, { signal: "SIGINT" })]);
  expect(code).toBe(7);
});

it("stopping what has ended is nothing", async () => {
  const tree = spawn(process.execPath, ["-e", ""]);
  await once(tree, "exit");
  await stopProcess(tree.pid);
  expect(isAlive(tree.pid ?? 0)).toBe(false);
});

it("a plugin ends by itself when the one that started it was killed", async () => {
  const child = JSON.stringify(["--require", endWithParent, "-e", `${ready} ${forEver}`]);
  const { tree, childPid } = await startTree({ child });
  expect(isAlive(childPid)).toBe(true);
  tree.kill("SIGKILL");
  await vi.waitFor(() => expect(isAlive(childPid)).toBe(false), { timeout: 10_000 });
});
