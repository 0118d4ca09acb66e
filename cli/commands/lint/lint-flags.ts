import type { Command } from "commander";
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
    .option("--json", "the notes for programs")
    .addHelpText("after", helpText("lint", { about: ABOUT, examples: EXAMPLES }));
}

const ABOUT = `
Rules
${LINT_RULES.map(({ name, why }) => `  ${name.padEnd(18)}${why}`).join("\n")}

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
  "pulumi preview --json --show-sames | trustplane lint --max-ttl 1h",
  "trustplane lint --live --stack acme/production",
  "terraform show -json plan | trustplane lint",
];
