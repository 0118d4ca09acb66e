import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isInterrupted, onInterrupt, waitForTheEnd } from "../steps/interrupt.mjs";
import { stopProcess } from "../steps/stop-process.mjs";

/** One event of the engine, as `--event-log` writes it: exactly one of the named parts is present. */
export type EngineEvent = Readonly<Record<string, unknown>>;

/** What one call of the CLI answered. */
export interface PulumiResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Empty unless events were asked for. */
  readonly events: readonly EngineEvent[];
  readonly durationMs: number;
}

/** How long the engine may take to end in order (it waits for the running call) before everything is killed. */
const cancelGraceMs = 10_000;

/** Runs the CLI once. While it runs, its stop function is in `running`; Ctrl-C ends it as Pulumi wants to be ended. */
export async function runPulumi(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Record<string, string>;
    readonly running: Set<() => Promise<void>>;
    readonly events?: boolean;
    readonly onLine?: (line: string) => void;
    readonly input?: string;
    readonly signal?: AbortSignal;
  },
): Promise<PulumiResult> {
  const { cwd, env, running, onLine, signal } = options;
  const eventLog = join(tmpdir(), `trustplane-events-${randomUUID()}.json`);
  const startedAt = Date.now();
  const allArgs = [
    ...args,
    "--non-interactive",
    "--color",
    "never",
    ...(options.events ? ["--event-log", eventLog] : []),
  ];
  // In a process group of its own, so that a terminal's Ctrl-C reaches it once, through us, and is not taken for two.
  const child = spawn(command, allArgs, {
    cwd,
    env: options.events ? { ...env, PULUMI_DEBUG_COMMANDS: "true" } : env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  // Always closed: a prompt that --non-interactive does not catch gets the end of input instead of an endless wait.
  child.stdin.on("error", () => {}).end(options.input ?? "");
  const stop = (force?: AbortSignal) => stopProcess(child.pid, { signal: "SIGINT", graceMs: cancelGraceMs, force });
  const stopNow = () => stop();
  const cancel = () => void child.kill("SIGINT");
  running.add(stopNow);
  const release = onInterrupt(stop);
  signal?.addEventListener("abort", cancel);

  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  if (onLine) for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", onLine);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, ended) => resolve(status ?? 128 + (ended ? constants.signals[ended] : 0)));
    });
    if (isInterrupted()) return await waitForTheEnd();
    return { code, stdout, stderr, events: eventsIn(eventLog), durationMs: Date.now() - startedAt };
  } finally {
    running.delete(stopNow);
    release();
    signal?.removeEventListener("abort", cancel);
    rmSync(eventLog, { force: true });
  }
}

function eventsIn(file: string): EngineEvent[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
