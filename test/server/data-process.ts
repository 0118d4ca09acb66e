import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ServerAddresses } from "../../tools/demo/embedded-server.mts";

/** `trustplane serve --json` in a process of its own, as users have it. */
export interface ServeProcess extends ServerAddresses {
  /** SIGKILL: nothing more is done. Resolves when the process is gone. */
  kill(): Promise<void>;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

const program = join(__dirname, "..", "..", "dist", "cli", "trustplane.js");

/** @throws Error with the output when it ends instead. */
export async function startProcess(flags: readonly string[]): Promise<ServeProcess> {
  const { child, firstLine, ended } = run(flags);
  const line = await Promise.race([firstLine, ended.then(({ err }) => Promise.reject(new Error(err)))]);
  return {
    ...(JSON.parse(line) as ServerAddresses),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** For a start that fails. */
export function runToEnd(flags: readonly string[]): Promise<Ended> {
  return run(flags).ended;
}

function run(flags: readonly string[]) {
  const child = spawn(process.execPath, [program, "serve", "--json", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (out.includes("\n")) resolve(out);
    });
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise<Ended>((resolve) => child.on("close", (exitCode) => resolve({ exitCode, out, err })));
  return { child, firstLine, ended };
}
