import type { Command } from "commander";
import { connectionOption } from "../../sources/connection-flag";
import type { NamedStack } from "../../sources/stack-source";
import { helpText } from "../options/help-text";
import { addStackOptions } from "../options/stack-options";

/** The command line of `trustplane doctor`, as commander gives it. */
export interface DoctorFlags extends NamedStack {
  readonly readOnly?: boolean;
  readonly json?: boolean;
}

/** `trustplane doctor`, with its flags. */
export function addDoctor(program: Command, run: (flags: DoctorFlags) => Promise<void>): void {
  const command = program
    .command("doctor")
    .summary("find out why a connection does not work")
    .description(
      "Check every connection step by step, from the address to the token's permissions, and say which setting to change. Writes nothing.",
    )
    .action((file: string | undefined, flags: DoctorFlags) => run({ ...flags, file }));
  addStackOptions(command, "doctor")
    .addOption(connectionOption("address and credentials of a server; repeatable; as in trustplane drift --help"))
    .option("--read-only", "ask the token only for what previews and drift detection need")
    .option("--json", "the report for programs")
    .addHelpText("after", helpText("doctor", { about: ABOUT, examples: EXAMPLES }));
}

const ABOUT = `
Without a stack, the connections are those that the environment names: VAULT_ADDR, CONSUL_HTTP_ADDR, TFE_TOKEN and
so on. With one, also those of the stack's configuration and of its resources.

Checks, in this order: address, proxy, DNS, TCP, TLS, API, product, status, clock, namespace, token, and for each resource what the token may do.
After a check that failed, those that depend on it are not asked. No secret is shown.
`;

const EXAMPLES = [
  "trustplane doctor",
  "trustplane doctor --stack acme/production --json",
  "trustplane doctor --connection east=https://consul.east.example.com,tokenEnv=EAST_TOKEN,service=cluster",
];
