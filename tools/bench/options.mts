import { parseArgs } from "node:util";
import { StepError } from "../steps/step-error.mjs";

/** What `npm run bench -- …` was asked for. */
export interface BenchOptions {
  /** How many roles the large stack has. */
  readonly roles: number;
  /** Names of the sections to measure; all when absent. */
  readonly only?: readonly string[];
  /** Where the report goes; to stdout when absent. */
  readonly output?: string;
  /** A shell command that does the same with another provider. */
  readonly peer?: string;
  /** What measures the same once more. */
  readonly command: string;
}

const fullRoles = 1_000;
const reportFile = "BENCHMARKS.md";

/** Throws a `StepError` that names the choices when an argument cannot be understood. */
export function benchOptions(args: readonly string[], sectionNames: readonly string[]): BenchOptions {
  const next = `npm run bench -- [--roles ${fullRoles}] [--only ${sectionNames.join(",")}] [--output ${reportFile}] [--peer COMMAND]`;
  const { roles: text, only: list, output, peer } = parsed(args, next);
  const roles = text === undefined ? fullRoles : Number(text);
  if (!Number.isInteger(roles) || roles < 1)
    throw new StepError(`--roles must be a whole number above 0, not ${text}`, { next });
  const only = list?.flatMap((names) => names.split(","));
  for (const name of only ?? [])
    if (!sectionNames.includes(name)) throw new StepError(`there is no section "${name}"`, { next });
  // A part of the figures, or those of a small stack, must not silently replace a whole report.
  const isFull = roles === fullRoles && only === undefined;
  const file = output ?? (isFull ? reportFile : undefined);
  const words = [
    ...(only ? ["--only", only.join(",")] : []),
    ...(roles === fullRoles ? [] : ["--roles", String(roles)]),
    ...(peer ? ["--peer", JSON.stringify(peer)] : []),
  ];
  const command = ["npm run bench", ...(words.length > 0 ? ["--", ...words] : [])].join(" ");
  return { roles, command, ...(only ? { only } : {}), ...(file ? { output: file } : {}), ...(peer ? { peer } : {}) };
}

function parsed(args: readonly string[], next: string) {
  try {
    const options = {
      roles: { type: "string" },
      only: { type: "string", multiple: true },
      output: { type: "string" },
      peer: { type: "string" },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new StepError(error instanceof Error ? error.message : String(error), { next });
  }
}
