import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onInterrupt } from "../steps/interrupt.mjs";
import { repository } from "../steps/repository.mjs";
import { StepError } from "../steps/step-error.mjs";
import { stopProcess } from "../steps/stop-process.mjs";

/** Where the embedded server listens, as `trustplane serve --json` prints it. */
export interface ServerAddresses {
  readonly secrets: { readonly address: string; readonly token: string };
  readonly cluster: { readonly address: string; readonly token: string };
  readonly policy: { readonly address: string; readonly token: string; readonly policySet: string };
  readonly admin: { readonly address: string; readonly token: string };
  /** With the flag `--issuer`. */
  readonly issuer?: { readonly address: string; readonly clientId: string; readonly clientSecret: string };
}

/** A running embedded server. */
export interface EmbeddedServer extends ServerAddresses {
  readonly pid: number;
  stop(force?: AbortSignal): Promise<void>;
  /** From now on it outlives this process. */
  keep(): void;
}

const startDeadlineMs = 15_000;
const cliFile = join(repository, "dist", "cli", "trustplane.js");
const endWithParent = fileURLToPath(new URL("../pulumi/end-with-parent.cjs", import.meta.url));

/**
 * Starts `trustplane serve --json` in a process of its own. Its output goes to files in `folder` rather than to pipes, because
 * a server that is kept would be ended by its first line to a closed pipe.
 */
export async function startEmbeddedServer(
  name: string,
  { folder, mayBeKept, flags = [] }: { folder: string; mayBeKept: boolean; flags?: readonly string[] },
): Promise<EmbeddedServer> {
  mkdirSync(folder, { recursive: true });
  const [outFile, logFile] = [join(folder, `${name}.json`), join(folder, `${name}.log`)];
  const [out, log] = [openSync(outFile, "w", 0o600), openSync(logFile, "w", 0o600)];
  const guard = mayBeKept ? [] : ["--require", endWithParent];
  const child = spawn(process.execPath, [...guard, cliFile, "serve", "--json", ...flags], {
    stdio: ["ignore", out, log],
    detached: true,
  });
  closeSync(out);
  closeSync(log);
  const stop = (force?: AbortSignal) => stopProcess(child.pid, { graceMs: 3_000, force });
  const release = onInterrupt(stop);
  let isEnded = false;
  child.on("exit", () => {
    isEnded = true;
  });
  child.on("error", () => {
    isEnded = true;
  });
  const deadline = Date.now() + startDeadlineMs;
  while (!readFileSync(outFile, "utf8").includes("\n")) {
    if (isEnded || Date.now() > deadline) {
      await stop();
      const lastLines = readFileSync(logFile, "utf8").trim().split("\n").slice(-20);
      throw new StepError(isEnded ? "the server ended at once" : "the server did not say where it listens", {
        lastLines,
      });
    }
    await delay(20);
  }
  const addresses: ServerAddresses = JSON.parse(readFileSync(outFile, "utf8").split("\n")[0] ?? "");
  return {
    ...addresses,
    pid: child.pid ?? 0,
    stop: async (force) => {
      release();
      await stop(force);
    },
    keep: () => {
      release();
      child.unref();
    },
  };
}
