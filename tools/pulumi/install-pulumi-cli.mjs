// @ts-check
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onInterrupt } from "../steps/interrupt.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { StepError } from "../steps/step-error.mjs";
import { pinnedVersion } from "./cli-version.mjs";
import { pinnedCli } from "./find-pulumi-cli.mjs";

const installer = fileURLToPath(new URL("./official-installer.mjs", import.meta.url));

/**
 * Downloads the released CLI with Pulumi's own installer into the versions folder. In a process of its own, because the
 * installer cannot be told to give up; into a folder of its own, because it would leave half a CLI behind when interrupted.
 * @param {{ env: NodeJS.ProcessEnv, timeoutMs: number, onLine?: (line: string) => void }} options
 */
export async function installPulumiCli({ env, timeoutMs, onLine }) {
  const command = pinnedCli(env);
  const bin = dirname(command);
  const staging = join(dirname(dirname(bin)), `.installing-${randomUUID()}`);
  const clean = () => rmSync(staging, { recursive: true, force: true });
  const release = onInterrupt(clean);
  try {
    mkdirSync(staging, { recursive: true });
    await runTool(process.execPath, [installer, pinnedVersion, staging], {
      env,
      timeoutMs,
      ...(onLine ? { onLine } : {}),
    });
    mkdirSync(dirname(bin), { recursive: true });
    try {
      renameSync(join(staging, "bin"), bin);
    } catch (error) {
      // Another process was faster, and a CLI is a CLI.
      if (!existsSync(command)) throw new StepError(`${bin} is in the way: ${error}`);
    }
    return command;
  } finally {
    release();
    clean();
  }
}
