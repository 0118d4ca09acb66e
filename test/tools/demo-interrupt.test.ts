// @run live: it runs the demo

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { processStat } from "../../tools/steps/process-stat.mjs";
import { repository } from "../../tools/steps/repository.mjs";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { unlessThere } from "../support/unless-there.ts";

/** Starts the demo as a terminal does, in a process group, and ends it with Ctrl-C when it has printed `text`. */
async function interruptDemoAt(text: string) {
  const mark = randomUUID();
  const demo = spawn(process.execPath, [join(repository, "tools", "run.mjs"), "demo"], {
    env: { ...process.env, DEMO_MARK: mark },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => {
      output += part;
    });
  }
  const ended = once(demo, "exit");
  await vi.waitUntil(() => output.includes(text) || demo.exitCode !== null, { timeout: 60_000, interval: 10 });
  expect(output).toContain(text);
  process.kill(-(demo.pid ?? 0), "SIGINT");
  const [code] = await ended;
  return { code, output, left: () => processesWith(mark) };
}

/** What was started with this mark in its environment, however far down and in whatever process group. */
function processesWith(mark: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && processStat(Number(name))?.state !== "Z")
    .filter((pid) => read(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll("\0", " "));
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const linux = unlessThere(process.platform === "linux", "finding left-over processes needs Linux's /proc");

describe("Ctrl-C in the demo leaves no process behind", { ...needsPulumi(), ...linux }, () => {
  it.each(["$ trustplane serve", "$ pulumi stack select", "$ pulumi up", " created ("])("at %j", async (text) => {
    const { code, output, left } = await interruptDemoAt(text);
    expect(output).toContain("stopping …");
    expect(code).toBe(130);
    expect(left()).toEqual([]);
  });
});
