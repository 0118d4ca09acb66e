// @ts-check
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./repository.mjs";
import { runTool } from "./run-tool.mjs";
import { StepError } from "./step-error.mjs";
import { systemNode } from "./system-node.mjs";

/** The sources of `tools/` and `test/` are TypeScript that Node itself runs, which needs this. */
const neededMajor = 24;

/**
 * The Node 24 that the npm package `node` brings, so that everyone builds and tests on the same one. Where npm did not run the
 * package's install script (`ignore-scripts`, or an npm that wants it approved), the script is run here.
 * @param {{ progress: import("./progress.mjs").Progress }} options
 */
export async function findProjectNode({ progress }) {
  const folder = join(repository, "node_modules", "node");
  const binary = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  // A first look without starting it: this runs before every command.
  if (existsSync(binary)) return binary;
  if (majorOf(process.execPath) >= neededMajor) return process.execPath;
  const next =
    `install Node ${neededMajor} and run the command with it, or let npm run the install script of the package "node" ` +
    "(npm config get ignore-scripts) and delete node_modules.";
  await progress.step(`getting Node ${neededMajor} (npm package "node")`, async (detail) => {
    await runTool(systemNode(), ["installArchSpecificPackage"], { cwd: folder, onLine: detail, next });
    if (!existsSync(binary) || majorOf(binary) < neededMajor) {
      throw new StepError(`the npm package "node" brought no Node ${neededMajor} that runs on this machine`, { next });
    }
  });
  return binary;
}

/** @param {string} node */
function majorOf(node) {
  if (node === process.execPath) return Number(process.versions.node.split(".")[0]);
  try {
    return Number(execFileSync(node, ["--version"], { encoding: "utf8" }).slice(1).split(".")[0]);
  } catch {
    return 0;
  }
}
