// @ts-check
import { StepError } from "../steps/step-error.mjs";
import { which } from "../steps/which.mjs";
import { withNodeHosts } from "./bin-folder.mjs";
import { buildPulumiCli } from "./build-pulumi-cli.mjs";
import { pinnedVersion } from "./cli-version.mjs";
import { findPulumiCli, versionOf } from "./find-pulumi-cli.mjs";
import { installPulumiCli } from "./install-pulumi-cli.mjs";

/**
 * The path of a Pulumi CLI that can run Node.js programs, from the first place that has or can make one: TRUSTPLANE_PULUMI
 * (used as it is), PATH, the versions folder, the official installer, a build from Go modules. Throws a `StepError` that
 * says what was tried and what to install.
 * @param {{ progress: import("../steps/progress.mjs").Progress, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>}
 */
export async function ensurePulumiCli({ progress, env = process.env }) {
  const chosen = existingPulumiCli(env);
  if (chosen.command) return chosen.command;
  const tried = chosen.tried;
  const isGoThere = which("go", env) !== undefined;
  if (!isGoThere) tried.push("building it from its Go modules: there is no go on PATH");
  const ways = [
    {
      title: `downloading the Pulumi CLI ${pinnedVersion} (official installer)`,
      // Long enough for a slow line, but a network that swallows packets must not hold up a build that works without it.
      run: () => installPulumiCli({ env, timeoutMs: isGoThere ? 60_000 : 600_000 }),
    },
    isGoThere && {
      title: `building the Pulumi CLI ${pinnedVersion} from its Go modules (about 5 minutes, once)`,
      run: (/** @type {(text: string) => void} */ detail) => buildPulumiCli({ env, onLine: detail }),
    },
  ];
  for (const { title, run } of ways.filter((way) => way !== false)) {
    try {
      return withNodeHosts({ command: await progress.step(title, run), version: pinnedVersion }, env);
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      tried.push(`${title}: ${[error.message, ...error.lastLines.slice(-3)].join("\n  ")}`);
    }
  }
  throw new StepError(`there is no Pulumi CLI, and none could be got (${tried.length} ways tried)`, {
    lastLines: tried.flatMap((line) => line.split("\n")),
    next: `install the Pulumi CLI ${pinnedVersion} or a newer 3.x and put it on PATH, or install Go 1.26 and run the command again.`,
  });
}

/**
 * The same without getting one: for those who only want to know.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ command?: string, tried: string[] }}
 */
export function existingPulumiCli(env = process.env) {
  const override = env.TRUSTPLANE_PULUMI;
  if (override) {
    const version = versionOf(override, env);
    if (version === undefined) throw new StepError(`TRUSTPLANE_PULUMI is ${override}, which does not run`);
    return { command: withNodeHosts({ command: override, version }, env), tried: [] };
  }
  const { found, tried } = findPulumiCli(env);
  return found ? { command: withNodeHosts(found, env), tried } : { tried };
}
