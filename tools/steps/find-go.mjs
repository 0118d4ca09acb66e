// @ts-check
import { spawnSync } from "node:child_process";
import { StepError } from "./step-error.mjs";
import { which } from "./which.mjs";

/** What the `go` line of every module that we build says. */
export const neededGo = "1.26";

const next = `install Go ${neededGo} or newer (https://go.dev/dl), put it on PATH and run the command again.`;

/**
 * The path of a Go that builds our modules. Throws a `StepError` when there is none, or only an older one.
 * @param {NodeJS.ProcessEnv} env
 */
export function findGo(env) {
  const go = which("go", env);
  if (!go) throw new StepError("there is no go on PATH", { next });
  // Else an older Go would look for a newer one by itself, and report what it did not find.
  const answer = spawnSync(go, ["version"], {
    env: { ...env, GOTOOLCHAIN: "local" },
    encoding: "utf8",
    timeout: 20_000,
  });
  if (answer.status !== 0) throw new StepError(`${go} does not run`, { next });
  const version = /\bgo(\d+)\.(\d+)\S*/.exec(answer.stdout);
  const [major, minor] = neededGo.split(".").map(Number);
  if (!version || Number(version[1]) !== major || Number(version[2]) < Number(minor))
    throw new StepError(`${go} is ${version?.[0] ?? "of an unknown version"}; go${neededGo} or newer is needed`, {
      next,
    });
  return go;
}
