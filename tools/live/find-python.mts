import { spawnSync } from "node:child_process";
import { StepError } from "../steps/step-error.mjs";
import { which } from "../steps/which.mjs";

/** What the pinned requirements of moto need. */
const neededPython = "3.11";

/** Also says how to get pip where the system's packager has split it off. */
export const pythonAdvice =
  `install Python ${neededPython} or newer with venv and pip (Debian and Ubuntu: apt install python3-venv; ` +
  "elsewhere https://www.python.org/downloads), put it on PATH as python3 and run the command again.";

const look = `
import sys
print("%d.%d" % sys.version_info[:2])
import venv, ensurepip
print("complete")
`;

/** The path of a Python that can make virtual environments. Throws a `StepError` when there is none, or only an older one. */
export function findPython(env: NodeJS.ProcessEnv): string {
  const next = pythonAdvice;
  const python = which("python3", env);
  if (!python) throw new StepError("there is no python3 on PATH", { next });
  const [version = "", isComplete] = saidBy(python, env);
  const [major, minor] = version.split(".").map(Number);
  const [neededMajor, neededMinor] = neededPython.split(".").map(Number);
  if (version === "") throw new StepError(`${python} does not run`, { next });
  if (major !== neededMajor || Number(minor) < Number(neededMinor))
    throw new StepError(`${python} is Python ${version}; ${neededPython} or newer is needed`, { next });
  if (!isComplete)
    throw new StepError(`${python} cannot make virtual environments: it has no module venv or ensurepip`, { next });
  return python;
}

function saidBy(python: string, env: NodeJS.ProcessEnv): string[] {
  const { stdout } = spawnSync(python, ["-c", look], { env, encoding: "utf8", timeout: 20_000 });
  return stdout?.split("\n").filter((line) => line !== "") ?? [];
}
