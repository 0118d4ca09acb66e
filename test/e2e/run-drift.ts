import { execFile } from "node:child_process";
import { delimiter, dirname } from "node:path";
import type { Story } from "./pulumi-story.ts";

/** What a run of the command came to. */
export interface DriftRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface DriftInput {
  readonly input?: string;
  /** Variables in place of the story's. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `npx trustplane drift` in the program's folder, as a user or a CI job does. */
export function runDrift(story: Pick<Story, "sandbox">, flags: string, input: DriftInput = {}): Promise<DriftRun> {
  return runTrustplane(story, ["drift", ...flags.split(" ").filter(Boolean)], input);
}

/** Runs any command of `trustplane` in the program's folder. */
export function runTrustplane(story: Pick<Story, "sandbox">, flags: readonly string[], input: DriftInput = {}) {
  return runProgram(story, ["npx", "--no-install", "trustplane", ...flags], input);
}

/** Runs any program in the folder, with Pulumi's CLI on PATH. */
export function runProgram(
  { sandbox }: Pick<Story, "sandbox">,
  [command = "", ...words]: readonly string[],
  { input = "", env = {} }: DriftInput = {},
): Promise<DriftRun> {
  const PATH = [dirname(sandbox.command), sandbox.env["PATH"]].join(delimiter);
  const options = {
    cwd: sandbox.programFolder,
    env: { ...sandbox.env, ...env, PATH, npm_config_update_notifier: "false" },
  };
  return new Promise((resolve) => {
    const child = execFile(command, words, options, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
    child.stdin?.end(input);
  });
}
