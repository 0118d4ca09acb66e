// @ts-check
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { StepError } from "../steps/step-error.mjs";
import { pinnedVersion } from "./cli-version.mjs";
import { pinnedCli, versionsFolder } from "./find-pulumi-cli.mjs";

const installer = fileURLToPath(new URL("./official-installer.mjs", import.meta.url));

/**
 * Downloads the released CLI with Pulumi's own installer into the versions folder. In a process of its own, because the
 * installer cannot be told to give up; into a folder of its own, because it would leave half a CLI behind when interrupted.
 * @param {{ env: NodeJS.ProcessEnv, timeoutMs: number, onLine?: (line: string) => void }} options
 */
export function installPulumiCli({ env, timeoutMs, onLine }) {
  const command = pinnedCli(env);
  const bin = dirname(command);
  return withScratchFolder(versionsFolder(env), async (scratch) => {
    await runTool(process.execPath, [installer, pinnedVersion, scratch], {
      // Node's fetch takes no notice of HTTPS_PROXY by itself; curl, which the installer starts, does.
      env: { ...env, NODE_USE_ENV_PROXY: "1" },
      timeoutMs,
      ...(onLine ? { onLine } : {}),
    });
    mkdirSync(dirname(bin), { recursive: true });
    try {
      renameSync(join(scratch, "bin"), bin);
    } catch (error) {
      // Another process was faster, and a CLI is a CLI.
      if (!existsSync(command)) throw new StepError(`${bin} is in the way: ${error}`);
    }
    return command;
  });
}
