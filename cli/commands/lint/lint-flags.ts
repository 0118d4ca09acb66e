import type { Command } from "commander";
import { LINT_RULES } from "../../facts/lint/rules";
import { connectionOption, type NamedConnections } from "../../sources/connection-flag";
import { exitCodesHelp } from "../options/exit-codes";
import { ignoreOption, maxTtlOption } from "../options/review-flags";

/** The command line of `trustplane lint`, as commander gives it. */
export interface LintFlags {
  readonly ignore?: string;
  /** In seconds. */
  readonly maxTtl: number;
  readonly json?: boolean;
  readonly live?: boolean;
  readonly connection?: NamedConnections;
}

/** `trustplane lint`, with its flags. */
export function addLint(program: Command, run: (file: string, flags: LintFlags) => Promise<void>): void {
  program
    .command("lint")
    .summary("find weak trust in a preview or a state")
    .description(
      "Look at the resources of a preview or a state for trust that is wider than it needs to be. Works offline: no program is run, and no server is asked without --live.",
    )
    .argument(
      "[file]",
      "what pulumi preview --json, --event-log or pulumi stack export wrote, or a plan or state of Terraform; - is the standard input",
      "-",
    )
    .addOption(ignoreOption("see below"))
    .addOption(maxTtlOption())
    .option("--live", "of a state: also ask the servers which policies there are; see below")
    .addOption(connectionOption())
    .option("--json", "the notes for programs")
    .addHelpText("after", MORE)
    .action(run);
}

const MORE = `
Rules
${LINT_RULES.map(({ name, why }) => `  ${name.padEnd(18)}${why}`).join("\n")}

A policy that the program declares is judged by what it allows, any other one by its name. Policies are also made elsewhere: without
--live, a policy is unknown only where the preview deletes it. With --live, the list of policies is read with the token that
trustplane drift would use; its help says how servers are found, and what --connection is for. Where the token may not "list"
sys/policies/acl, no policy is called unknown.

A preview shows only what changes; give it --show-sames to have everything looked at.

${exitCodesHelp("lint")}

The file of exceptions, YAML or JSON, is the one of trustplane drift; * stands for any characters:
  silence:
    - resource: jwt.Role ci
      rule: long-ttl
      reason: OPS-12
      expires: 2026-12-31
  resource  URN, id, or class and name
  expires   the day from which it counts again; expired and unused entries are reported

Examples
  pulumi preview --json --show-sames | trustplane lint
  pulumi stack export | trustplane lint --max-ttl 1h
  pulumi stack export | trustplane lint --live
  terraform show -json plan | trustplane lint
`;
