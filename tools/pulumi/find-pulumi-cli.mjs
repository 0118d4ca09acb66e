// @ts-check
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../steps/repository.mjs";
import { executable, isExecutable, which } from "../steps/which.mjs";
import { isUsableVersion, pinnedVersion, tooOld } from "./cli-version.mjs";

/**
 * @typedef {object} FoundCli
 * @property {string} command path of the executable
 * @property {string} version without the leading `v`
 */

/** The folder that the Automation API and the official npm runner fill as well. @param {NodeJS.ProcessEnv} env */
export const versionsFolder = (env) => join(env.PULUMI_HOME || join(env.HOME || homedir(), ".pulumi"), "versions");

/** @param {NodeJS.ProcessEnv} env */
export const pinnedCli = (env) => join(versionsFolder(env), pinnedVersion, "bin", executable("pulumi"));

/**
 * Looks for a CLI that the machine already has: PATH first (what its owner chose), then the versions folder. `tried` says why
 * each place was passed over.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ found?: FoundCli, tried: string[] }}
 */
export function findPulumiCli(env) {
  const onPath = which("pulumi", env);
  /** @type {string[]} */
  const tried = [];
  if (!onPath) tried.push("PATH: there is no pulumi");
  for (const command of [onPath, pinnedCli(env)]) {
    if (!command) continue;
    if (!isExecutable(command)) {
      tried.push(`${command}: does not exist`);
      continue;
    }
    const version = versionOf(command, env);
    if (version !== undefined && isUsableVersion(version)) return { found: { command, version }, tried };
    tried.push(`${command}: ${version === undefined ? "does not run" : tooOld(version)}`);
  }
  return { tried };
}

/**
 * What a CLI says about itself, or undefined when it does not run.
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 */
export function versionOf(command, env) {
  // A home of its own: even `pulumi version` writes a log file into it.
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_HOME: join(cacheFolder, "pulumi-version") };
  const answer = spawnSync(command, ["version"], { env: quiet, encoding: "utf8", timeout: 20_000 });
  return answer.status === 0 ? answer.stdout.trim().replace(/^v/, "") : undefined;
}
