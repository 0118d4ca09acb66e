import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** The process of the CLI that this provider works for. */
export interface CliProcess {
  /** No other process has it, not even a later one with the same number. */
  readonly key: string;
  readonly pid: number;
  /** Undefined where the system does not tell them. */
  readonly words: readonly string[] | undefined;
}

interface Found {
  readonly parent: number;
  readonly began: string;
  readonly words: readonly string[];
}

/** A shell may stand between the CLI and its plugin. */
const MOST_STEPS = 5;
/**
 * A version may follow, as in terraform1.9.8 and tofu_v1.11, but no word: that is a plugin. The actions that set up Terraform
 * have the binary as terraform-bin, below a wrapper.
 */
const CLIS = /^(pulumi|terraform|(open)?tofu)(-bin)?([-_]?v?\d[\w.+-]*)?(\.exe)?$/;

/** The nearest ancestor that is a CLI; the parent where none is known to be one. */
export function cliProcess(parent: number): CliProcess {
  let pid = parent;
  for (let steps = 0; steps < MOST_STEPS && pid > 1; steps++) {
    const found = processOf(pid);
    if (found === undefined) break;
    if (isCli(found.words[0] ?? "")) return { key: `${pid} ${found.began}`, pid, words: found.words };
    pid = found.parent;
  }
  return { key: `${parent} ${processOf(parent)?.began ?? ""}`, pid: parent, words: undefined };
}

/** Whether this is the file of a CLI. */
export function isCli(file: string): boolean {
  return CLIS.test(basename(file));
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the command is about a part of the program only. */
export function isPartial(words: readonly string[], env: Environment): boolean {
  const more = Object.entries(env).flatMap(([name, value = ""]) => {
    if (/^PULUMI_OPTION_(TARGET|EXCLUDE)/.test(name)) return value === "" ? [] : ["--target"];
    return [];
  });
  return [...words, ...more, ...moreWords(words, env)].some((word) => /^(-t|--?target|--?exclude)/.test(word));
}

/** Whether the command, one of Terraform, makes a saved plan. */
export function isSavingPlan(words: readonly string[], env: Environment): boolean {
  return [...words, ...moreWords(words, env)].some((word) => /^--?out(=|$)/.test(word));
}

/** Whether the command, one of Terraform, makes the plan of a destroy. It plans the program first, only to know what there is. */
export function isDestroying(words: readonly string[], env: Environment): boolean {
  const last = [...moreWords(words, env), ...words].findLast((word) => /^--?destroy(=|$)/.test(word));
  return commandOf(words) === "destroy" || /^--?destroy(=(1|t|true))?$/i.test(last ?? "");
}

/** Whether the command is `terraform test`: what one of its runs has made, a later one may make again. */
export function isTesting(words: readonly string[]): boolean {
  return commandOf(words) === "test";
}

function commandOf(words: readonly string[]): string | undefined {
  return words.slice(1).find((word) => !word.startsWith("-"));
}

/** The words that Terraform puts before those of the command. */
function moreWords(words: readonly string[], env: Environment): string[] {
  return ["TF_CLI_ARGS", `TF_CLI_ARGS_${commandOf(words)}`].flatMap(
    (name) => env[name]?.match(/(?:'[^']*'|"(?:\\.|[^"])*"|[^\s'"])+/g) ?? [],
  );
}

/** Options of Terraform whose value may be the next word. */
const WITH_VALUE = /^--?(var|var-file|target|exclude|replace|state|state-out|backup|lock-timeout|parallelism)$/;

/** Options of Terraform that may stand behind the file. */
const ANYWHERE = /^--?(no-color|compact-warnings)$/;

/**
 * Whether the command applies a saved plan, whose file is its last word. Where the system splits `-var "a=b c"` in three, the
 * last one is no file.
 */
export function isOfSavedPlan(words: readonly string[], isFile: (path: string) => boolean = existsSync): boolean {
  const given = words.filter((word) => word !== "" && !ANYWHERE.test(word));
  const [before = "", last = ""] = given.slice(-2);
  const isAfterApply = given.slice(0, -1).includes("apply");
  return isAfterApply && !last.startsWith("-") && !WITH_VALUE.test(before) && isFile(last);
}

/** Undefined where the process is gone, or where the system, such as Windows, does not say. */
function processOf(pid: number): Found | undefined {
  if (process.platform === "win32") return undefined;
  try {
    return process.platform === "linux" ? linuxProcess(pid) : unixProcess(pid);
  } catch {
    return undefined;
  }
}

function linuxProcess(pid: number): Found {
  // What comes after the name, which may hold spaces and brackets: state, parent and, as the twentieth, the time of its start.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return { parent: Number(fields[1]), began: fields[19] ?? "", words };
}

function unixProcess(pid: number): Found {
  const asked = (column: string) =>
    execFileSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8", stdio: "pipe" }).trim();
  return { parent: Number(asked("ppid")), began: asked("lstart"), words: asked("args").split(/\s+/) };
}
