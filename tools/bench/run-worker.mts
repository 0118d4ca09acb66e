import { type SpawnOptions, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onInterrupt } from "../steps/interrupt.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { stopProcess } from "../steps/stop-process.mjs";

/** Runs a file of `workers/` in a Node of its own, and answers the JSON that it prints. */
export async function runWorker<T>(
  file: string,
  { args = [], cwd, env = {} }: { args?: readonly string[]; cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  const stdout = await runTool(process.execPath, [workerFile(file), ...args], {
    env: { ...neutralEnvironment(), ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  return JSON.parse(stdout);
}

/** The user's settings for servers and for Pulumi would make the figures depend on the machine. */
function neutralEnvironment(): NodeJS.ProcessEnv {
  const isNeutral = (name: string) => !/^(VAULT|BAO|CONSUL|TFE|PULUMI|NODE)_/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isNeutral(name)));
}

export const workerFile = (file: string) => fileURLToPath(new URL(`./workers/${file}`, import.meta.url));

/** A process that serves until it is stopped. */
export interface Served {
  readonly pid: number;
  /** What it printed first. */
  readonly firstLine: string;
  /** From the call of spawn to that line. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Starts a Node that prints one line when it is ready. Rejects, with what it wrote to stderr, when it ends before. */
export async function startServing(
  args: readonly string[],
  { cwd, env = {} }: Pick<SpawnOptions, "cwd"> & { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Served> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { ...neutralEnvironment(), ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const stop = (force?: AbortSignal) => stopProcess(child.pid, { graceMs: 3_000, force });
  const release = onInterrupt(stop);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  const firstLine = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${args[0]} ended with code ${code}: ${errors.trim()}`)));
  });
  return {
    pid: child.pid ?? 0,
    firstLine,
    startMs: performance.now() - startedAt,
    stop: async () => {
      release();
      await stop();
    },
  };
}
