import { COMMANDS, type CommandInput, type CommandRow } from "../../cli/commands/options/commands";
import { markdownTable } from "../markdown-table";

const rows: readonly (readonly [string, CommandRow])[] = Object.entries(COMMANDS);

/** What all commands have in common: how each is told what to look at, and its exit codes. */
export function commandsPage(): string {
  const inputs = rows.flatMap(([name, { input, only }]) => (input ? [inputRow(name, input, only)] : []));
  const codes = rows.map(([name, { codes: texts }]) => [`\`${name}\``, texts[0], texts[1], texts[2] ?? ""]);
  return [
    "# Commands",
    "What all commands of `trustplane` have in common. `npx trustplane <command> --help` has the rest, in the same order for each: flags, input, what only this command has, exit codes, examples.",
    "## What a command looks at",
    markdownTable(["Command", "Looks at", "Nothing named", "A pipe with nothing in it", "`--live`"], inputs),
    WAYS,
    "## Exit codes",
    CODES,
    markdownTable(["Command", "0", "1", "2"], codes),
    APART,
  ].join("\n\n");
}

function inputRow(name: string, { takes, emptyPipe, live }: CommandInput, only?: string): string[] {
  const isComment = takes === "a preview or a drift report";
  const unnamed = isComment
    ? "a pipe"
    : `a pipe, else the ${emptyPipe === "no stack" ? "environment's connections" : "selected stack"}`;
  const empty = { refused: "an error", "selected stack": "the selected stack", "no stack": "no stack" }[emptyPipe];
  return [`\`${[name, only].filter(Boolean).join(" ")}\``, takes, unnamed, empty, live ? "yes" : ""];
}

const WAYS = `Each takes it in the same ways, of which a command line names one at most:

* **\`--stack NAME\`**: Pulumi's CLI exports this stack. \`--cwd FOLDER\` is the folder of the program. \`doctor\` takes the selected one for \`--stack\` without a name.
* **\`--state FILE\`**: what \`pulumi stack export\`, \`terraform state pull\` or \`terraform show -json\` prints, or a \`terraform.tfstate\`.
* **\`--preview FILE\`**, where a preview is taken: what \`pulumi preview --json --show-sames\` or \`--event-log\` wrote, or \`terraform show -json\`
  of a saved plan. A state is refused. A preview without \`--show-sames\`, and a plan with \`-target\`, leave something out: \`lint\`, \`map\` and \`comment\`
  say so beside what they have, the others end with 1. A plan of \`-refresh-only\`, and \`pulumi refresh --preview-only --json\`, are
  read as what the servers have; of these, \`comment\` says what has changed there.
* **A file alone**, \`trustplane lint stack.json\`: either, told apart by what is in it. It stands before the flags, as \`--json stack.json\` would be the file of a report.
* **\`-\`** in place of any file: the standard input. A terminal there is an error, not a wait.
* **A pipe**, \`pulumi stack export | trustplane lint\`: the same. In a loop that reads names from its standard input, name the stack, or add \`</dev/null\`.

What an interrupted run has left is named, and nobody looks at it: operations that were not finished, records that still have to be
deleted. \`pulumi preview\` has \`--event-log\` where \`PULUMI_DEBUG_COMMANDS=1\` is set.

Lines before and after the JSON are left out. \`comment\` says the name of a stack with \`--stack\`. \`test\` has its file of tests before the one of the
stack, \`trustplane test trust.yml stack.json\`. \`lint --live\` looks at a state, and asks its servers for the names of policies.`;

const CODES = `0 is done, 1 is not done, and 2 is a finding: a job that stops for 2 stops for what the servers or the change have, never for a
mistake in the job. A wrong command line, or an unknown command, is 1 everywhere.`;

const APART = `\`npx trustplane drift || exit 1\` would stop for drift and for a server that is down alike. To tell them apart:

\`\`\`sh
npx trustplane drift || code=$?
if [ "\${code:-0}" = 2 ]; then echo "somebody has changed something"; fi
\`\`\``;
