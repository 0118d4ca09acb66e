import type { Command } from "commander";
import type { NamedStack } from "../../sources/stack-source";
import { helpText } from "../options/help-text";
import { addStackOptions } from "../options/stack-options";

/** The command line of `trustplane permissions`, as commander gives it. */
export interface PermissionsFlags extends NamedStack {
  readonly only?: string;
  readonly readOnly?: boolean;
}

/** `trustplane permissions`, with its flags. */
export function addPermissions(program: Command, run: (flags: PermissionsFlags) => Promise<void>): void {
  const command = program
    .command("permissions")
    .summary("print the smallest policy for a stack")
    .description(
      "Print the smallest policy with which a token can preview, update and compare a stack: HCL for Vault and OpenBao, rules for Consul, words for HCP Terraform. Works offline: no server is asked.",
    )
    .action((file: string | undefined, flags: PermissionsFlags) => run({ ...flags, file }));
  addStackOptions(command, "permissions")
    .option("--only <connection>", "the policy for one connection, such as secrets, east or west.cluster")
    .option("--read-only", "only what previews and trustplane drift need")
    .addHelpText("after", helpText("permissions", { about: ABOUT, examples: EXAMPLES }));
}

const ABOUT = `
Each connection gets its own policy. With --only the output can be piped to where the policy goes.
What a program's functions need is not in a state: their pages of the documentation have it.
`;

const EXAMPLES = [
  "trustplane permissions --only secrets | vault policy write ci -",
  "trustplane permissions --read-only --stack acme/production",
  "pulumi preview --json --show-sames | trustplane permissions",
  "terraform show -json plan | trustplane permissions --preview -",
];
