import { execFile } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServers } from "../../server/serve.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { environmentOf } from "../e2e/watched-servers.ts";
import { createPulumiSandbox, needsPulumi } from "../support/pulumi-sandbox.ts";

const pageOf = (path: string) => readFileSync(join(repository, path), "utf8");

// A dozen commands one after the other: on a machine that is busy with others they took five minutes.
describe("the documentation", needsPulumi({ timeout: 600_000 }), () => {
  test("begins with a tutorial whose commands print what it shows", async () => {
    const server = await startServers();
    onTestFinished(server.close);
    const sandbox = await createPulumiSandbox({ program: project, stack: "unused", env: environmentOf(server) });
    onTestFinished(sandbox.close);
    renameSync(sandbox.programFolder, join(sandbox.folder, "trust"));
    const steps = stepsOf(pageOf("docs/index.md"));
    const script = [prelude, ...steps.map(({ commands }) => `${commands}\nprintf '\\f'`)].join("\n");

    const { stdout } = await promisify(execFile)("bash", ["-c", `exec 2>&1\n${script}`], {
      cwd: sandbox.folder,
      env: { ...sandbox.env, PATH: [dirname(sandbox.command), sandbox.env["PATH"]].join(delimiter) },
    });

    const printed = stdout.split("\f").map(comparable);
    expect(steps.filter(({ output }) => output.length > 0).length).toBeGreaterThan(6);
    for (const [index, { commands, output }] of steps.entries())
      for (const line of output) expect(printed[index], commands).toContain(comparable(line));
  });

  test("has settings that the CLI takes as they stand", async () => {
    const pages = ["README.md", "docs/configuration.md", "examples/platform/README.md"];
    const lines = pages.map((page) => pageOf(page).match(/^pulumi config set .+$/gm) ?? []);
    const sandbox = await createPulumiSandbox({ program: project });
    onTestFinished(sandbox.close);

    for (const line of new Set(lines.flat())) {
      const { code, stderr } = await sandbox.run(line.split(" ").slice(1), { input: "secret" });
      expect({ line, code, stderr }).toMatchObject({ code: 0 });
    }
    expect(lines).not.toContainEqual([]);
  });
});

const project = { "Pulumi.yaml": "name: trust\nruntime: nodejs\n" };

/** What the reader does at once, and the lines that the page shows of what is printed then. */
interface Step {
  readonly commands: string;
  readonly output: readonly string[];
}

/** The packages are there, the server runs, nobody is there to be asked, and test/package checks the program's types. */
const prelude = `
export PULUMI_NODEJS_TRANSPILE_ONLY=true
npm() { [ "$1" = install ] || command npm "$@"; }
npx() { [ "$2" = serve ] || command npx --no-install "$@"; }
pulumi() {
  case $1 in
    up | destroy) command pulumi "$@" --yes --skip-preview --suppress-progress --color never ;;
    preview) command pulumi "$@" --suppress-progress --color never ;;
    *) command pulumi "$@" ;;
  esac
}`;

function stepsOf(page: string): Step[] {
  const tutorial = /^## Tutorial[\s\S]*?(?=^## )/m.exec(page)?.[0] ?? "";
  let program = "";
  const steps: Step[] = [];
  for (const [, language = "", code = ""] of tutorial.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === "text") {
      const last = steps.pop();
      const output = code.split("\n").filter((line) => line !== "" && line !== "…");
      if (last && !last.commands.includes("trustplane serve")) steps.push({ ...last, output });
      continue;
    }
    if (language === "ts") program = code;
    if (language === "diff") program = changed(program, code);
    const commands = { sh: code, yaml: written("Pulumi.yaml", code) }[language] ?? written("index.ts", program);
    steps.push({ commands, output: [] });
  }
  return steps;
}

const written = (file: string, text: string) => `cat > ${file} <<'END'\n${text}END`;

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

/** Without what differs from run to run: durations, and the width of columns. */
function comparable(text: string): string {
  return text.replace(/\(\d+(\.\d+)?s\)/g, "").replace(/\s+/g, " ");
}
