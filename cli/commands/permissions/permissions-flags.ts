import { type Command, Option } from "commander";
import { exitCodesHelp } from "../options/exit-codes";
import { stateFlag } from "../options/stack-flags";

/** The command line of `trustplane permissions`, as commander gives it. */
export interface PermissionsFlags {
  readonly state?: string;
  readonly preview?: string;
  readonly stack?: string;
  readonly cwd?: string;
  readonly only?: string;
  readonly readOnly?: boolean;
}

/** `trustplane permissions`, with its flags. */
export function addPermissions(program: Command, run: (flags: PermissionsFlags) => Promise<void>): void {
  program
    .command("permissions")
    .summary("print the smallest policy for a stack")
    .description(
      "Print the smallest policy with which a token can preview, update and compare a stack: HCL for Vault and OpenBao, rules for Consul, words for HCP Terraform. Works offline: no server is asked.",
    )
    .option("--stack <name>", "the stack (default: the selected one)")
    .option("--cwd <folder>", "folder of the Pulumi program (default: this one)")
    .addOption(stateFlag(["stack", "cwd", "preview"]))
    .addOption(
      new Option(
        "--preview <file>",
        "what `pulumi preview --json --show-sames`, --event-log or `terraform show -json` of a plan wrote, also of a stack that is not there yet; - is the standard input",
      ).conflicts(["stack", "cwd"]),
    )
    .option("--only <connection>", "the policy for one connection, such as secrets, east or west.cluster")
    .option("--read-only", "only what previews and trustplane drift need")
    .addHelpText("after", MORE)
    .action(run);
}

const MORE = `
Each connection gets its own policy. With --only the output can be piped to where the policy goes.
What a program's functions need is not in a state: their pages of the documentation have it.

${exitCodesHelp("permissions")}

Examples
  trustplane permissions --only secrets | vault policy write ci -
  trustplane permissions --read-only --stack acme/production
  pulumi preview --json --show-sames | trustplane permissions --preview -
  terraform show -json plan | trustplane permissions --preview -
`;
