import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parse } from "yaml";
import * as z from "zod";
import { repository } from "../../tools/steps/repository.mjs";

const input = z.object({ description: z.string(), default: z.string().optional(), required: z.boolean().optional() });
const step = z.object({
  name: z.string(),
  if: z.string(),
  shell: z.literal("bash"),
  run: z.string(),
  env: z.record(z.string(), z.string()),
  "working-directory": z.string().optional(),
});
const action = z.object({
  name: z.string(),
  description: z.string(),
  inputs: z.record(z.string(), input),
  runs: z.object({ using: z.literal("composite"), steps: z.array(step) }),
});

/** The composite action, as a workflow would run it. */
export const theAction = action.parse(parse(readFileSync(join(repository, "action.yml"), "utf8")));

export interface ActionRun {
  readonly code: number;
  readonly out: string;
}

/** Runs a script as a CI job does. */
export async function runScript(
  script: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ActionRun> {
  const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? 1)));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out: out + err };
}

/** What a workflow knows, by the variable that says it to a test. */
const CONTEXTS: Readonly<Record<string, string>> = { "github.token": "GITHUB_TOKEN", "runner.temp": "RUNNER_TEMP" };

/** Runs the steps of the action whose conditions hold; answers the first failure. */
export async function runAction(
  inputs: Readonly<Record<string, string>>,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ActionRun> {
  const value = (name: string) => inputs[name] ?? theAction.inputs[name]?.default ?? "";
  const filled = (source: string): string =>
    source.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) =>
      expression in CONTEXTS
        ? (env[CONTEXTS[expression] ?? ""] ?? "")
        : filled(value(expression.replace(/^inputs\./, ""))),
    );
  let out = "";
  let code = 0;
  for (const each of theAction.runs.steps) {
    if (!holds(each.if, value, code !== 0)) continue;
    const own = Object.fromEntries(Object.entries(each.env).map(([name, source]) => [name, filled(source)]));
    const at = join(cwd, filled(each["working-directory"] ?? "."));
    const result = await runScript(each.run, { cwd: at, env: { ...env, ...own } });
    out += result.out;
    code ||= result.code;
  }
  return { code, out };
}

/** The conditions that the action uses: comparisons of an input with a text, all of which have to hold; after a failure only with `always()`. */
export function holds(condition: string, value: (input: string) => string, hasFailed: boolean): boolean {
  const parts = condition.split(" && ");
  if (hasFailed && !parts.includes("always()")) return false;
  return parts.every((part) => {
    if (part === "always()") return true;
    const [, name = "", operator, text] = /^inputs\.([a-z-]+) (==|!=) '([^']*)'$/.exec(part) ?? [];
    if (operator === undefined) throw new Error(`a condition that the test does not know: ${part}`);
    return (value(name) === text) === (operator === "==");
  });
}
