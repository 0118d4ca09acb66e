import { execFile } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { PulumiSandbox } from "./pulumi-sandbox.ts";

/** What the reader of a page does at once, and the lines that the page shows of what is printed then. */
export interface Step {
  readonly commands: string;
  readonly output: readonly string[];
}

/**
 * The steps of a page's code blocks. A block of a program or a document is a file: the one that the text before the block
 * names last, or `index.ts` and `Pulumi.yaml`. A block `diff` changes the last program. A block `text` is what is printed.
 */
export function stepsOf(page: string): Step[] {
  const programs = new Map<string, string>();
  let program = "index.ts";
  const steps: Step[] = [];
  for (const { text, language, code } of blocksOf(page)) {
    if (language === "text") {
      const last = steps.pop();
      const output = code.split("\n").filter((line) => line !== "" && line !== "…");
      if (last && !last.commands.includes("trustplane serve")) steps.push({ ...last, output });
      continue;
    }
    if (language === "ts") program = fileNamedIn(text, "ts") ?? "index.ts";
    if (language === "ts") programs.set(program, code);
    if (language === "diff") programs.set(program, changed(programs.get(program) ?? "", code));
    const commands =
      { sh: code, yaml: written(fileNamedIn(text, "ya?ml") ?? "Pulumi.yaml", code) }[language] ??
      written(program, programs.get(program) ?? "");
    steps.push({ commands, output: [] });
  }
  return steps;
}

/** Does the steps in one shell, as a reader does, and expects each to print what the page shows. */
export async function doSteps(
  steps: readonly Step[],
  { folder, command, env }: Pick<PulumiSandbox, "folder" | "command" | "env">,
  { isInstalling = false }: { readonly isInstalling?: boolean } = {},
): Promise<void> {
  const script = [
    prelude,
    isInstalling ? "" : WITHOUT_INSTALLING,
    ...steps.map(({ commands }) => `${commands}\nprintf '\\f'`),
  ].join("\n");
  const { stdout } = await promisify(execFile)("bash", ["-c", `exec 2>&1\n${script}`], {
    cwd: folder,
    env: { ...env, PATH: [dirname(command), env["PATH"]].join(delimiter) },
    maxBuffer: 16 * 1024 * 1024,
  });
  const printed = stdout.split("\f").map(comparable);
  for (const [index, { commands, output }] of steps.entries())
    for (const line of output) expect(printed[index], commands).toContain(comparable(line));
  expect(printed).toHaveLength(steps.length + 1);
}

/** The packages are there. */
const WITHOUT_INSTALLING = 'npm() { [ "$1" = run ] || [ "$1" = install ] || command npm "$@"; }';

/** The package is packed, the server runs, nobody is there to be asked, and test/package checks the program's types. */
const prelude = `
export PULUMI_NODEJS_TRANSPILE_ONLY=true
npm() { [ "$1" = run ] || command npm "$@"; }
npx() { [ "$2" = serve ] || command npx --no-install "$@"; }
pulumi() {
  case $1 in
    up | destroy) command pulumi "$@" --yes --skip-preview --suppress-progress --color never ;;
    preview) command pulumi "$@" --suppress-progress --color never ;;
    *) command pulumi "$@" ;;
  esac
}`;

function* blocksOf(page: string) {
  let end = 0;
  for (const block of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [whole, language = "", code = ""] = block;
    yield { text: page.slice(end, block.index), language, code };
    end = block.index + whole.length;
  }
}

const fileNamedIn = (text: string, extension: string) =>
  [...text.matchAll(new RegExp(`\`([\\w./-]+\\.${extension})\``, "g"))].at(-1)?.[1];

const written = (file: string, text: string) => `mkdir -p ${dirname(file)}\ncat > ${file} <<'END'\n${text}END`;

function changed(program: string, diff: string): string {
  const side = (gone: string) =>
    diff
      .split("\n")
      .filter((line) => !line.startsWith(gone))
      .map((line) => line.slice(1))
      .join("\n");
  const [before, after] = [side("+"), side("-")];
  expect(program).toContain(before);
  return program.replace(before, after);
}

/** Without what differs from run to run: durations, ports, and the width of columns. */
function comparable(text: string): string {
  return text
    .replace(/\(\d+(\.\d+)?s\)/g, "")
    .replace(/(http:\/\/127\.0\.0\.1):\d+/g, "$1")
    .replace(/\s+/g, " ");
}
