import { type Command, Option } from "commander";
import { SEVERITIES, type Severity } from "../../facts/lint/rule";
import { LINT_RULES } from "../../facts/lint/rules";
import { connectionOption } from "../../sources/connection-flag";
import type { NamedStack } from "../../sources/stack-source";
import { helpText } from "../options/help-text";
import { ignoreOption, maxTtlOption } from "../options/parsed-options";
import { addStackOptions } from "../options/stack-options";

/** The command line of `trustplane lint`, as commander gives it. */
export interface LintFlags extends NamedStack {
  readonly ignore?: string;
  /** In seconds. */
  readonly maxTtl: number;
  readonly json?: boolean;
  /** A file, or true for the standard output. */
  readonly sarif?: string | true;
  readonly failOn: Severity | "never";
  /** Of the policies alone: the stack is a state all the same. */
  readonly live?: boolean;
}

/** `trustplane lint`, with its flags. */
export function addLint(program: Command, run: (flags: LintFlags) => Promise<void>): void {
  const command = program
    .command("lint")
    .summary("find weak trust in a preview or a state")
    .description(
      "Look at the resources of a preview or a state for trust that is wider than it needs to be. Works offline: no program is run, and no server is asked without --live.",
    )
    .action((file: string | undefined, flags: LintFlags) => run({ ...flags, file }));
  addStackOptions(command, "lint")
    .addOption(ignoreOption("see below"))
    .addOption(maxTtlOption())
    .option("--live", "of a state: also ask the servers which policies there are; see below")
    .addOption(connectionOption())
    .addOption(
      new Option("--fail-on <severity>", "least severity of a note for which the command ends with 2")
        .choices([...SEVERITIES, "never"])
        .default("note"),
    )
    .option("--json", "the notes for programs")
    .option("--sarif [file]", "the notes for code scanning, SARIF 2.1.0")
    .addHelpText("after", helpText("lint", { about: ABOUT, examples: EXAMPLES }));
}

const ABOUT = `
Rules
${LINT_RULES.map(({ name, severity, why }) => `  ${name.padEnd(18)}${severity.padEnd(9)}${why}`).join("\n")}
docs/lint.md in the package has a bad and a good example of each, and its public source.

A policy that the program declares is judged by what it allows, any other one by its name. Policies are also made elsewhere: without
--live, a policy is unknown only where the preview deletes it. With --live, the list of policies is read with the token that
trustplane drift would use; its help says how servers are found, and what --connection is for. Where the token may not "list"
sys/policies/acl, no policy is called unknown.

A preview shows only what changes; give it --show-sames to have everything looked at.

The file of exceptions, YAML or JSON, is the one of trustplane drift; * stands for any characters:
  silence:
    - resource: jwt.Role ci
      rule: long-ttl
      reason: OPS-12
      expires: 2026-12-31
  resource  URN, id, or class and name
  expires   the day from which it counts again; expired and unused entries are reported
`;

const EXAMPLES = [
  "trustplane lint",
  "trustplane lint --fail-on error --sarif lint.sarif",
  "pulumi preview --json --show-sames | trustplane lint --max-ttl 1h",
  "trustplane lint --live --stack acme/production",
  "terraform show -json plan | trustplane lint",
];
