// @ts-check
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isInterrupted, onInterrupt, waitForTheEnd } from "./interrupt.mjs";
import { StepError } from "./step-error.mjs";
import { stopProcess } from "./stop-process.mjs";

/**
 * Runs a tool to its end and returns what it wrote to stdout. It has no terminal and no stdin: a tool that would ask fails
 * instead of hanging. Throws a `StepError` with the last lines of output when the tool fails, is missing, or takes too long.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, keptLines?: number, next?: string, onLine?: (line: string) => void }} [options]
 * @returns {Promise<string>}
 */
export async function runTool(command, args, { cwd, env = process.env, timeoutMs, keptLines = 25, next, onLine } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const stop = (/** @type {AbortSignal} */ force) => stopProcess(child.pid, { toTree: true, graceMs: 2_000, force });
  const release = onInterrupt(stop);
  /** @type {string[]} */
  const lines = [];
  let stdout = "";
  const listen = (/** @type {string} */ text) => {
    for (const line of text.split(/\r?\n/)) {
      if (line.trim() === "") continue;
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      onLine?.(line);
    }
  };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    listen(text);
  });
  child.stderr.setEncoding("utf8").on("data", listen);

  let timedOut = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          stopProcess(child.pid, { toTree: true, graceMs: 1_000 });
        }, timeoutMs);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on("error", (/** @type {NodeJS.ErrnoException} */ error) =>
        reject(
          new StepError(error.code === "ENOENT" ? `${command} is not installed` : error.message, next ? { next } : {}),
        ),
      );
      child.on("close", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
    if (isInterrupted()) return await waitForTheEnd();
    if (code === 0 && !timedOut) return stdout;
    const reason = timedOut ? `no end after ${(timeoutMs ?? 0) / 1000} s` : `${command} ended with code ${code}`;
    throw new StepError(reason, { lastLines: lines, exitCode: code, ...(next ? { next } : {}) });
  } finally {
    clearTimeout(timer);
    release();
  }
}
