import type { Command } from "commander";
import { connectionFlag, type NamedConnections } from "../../sources/connection-flag";
import { exitCodesHelp } from "../options/exit-codes";
import { stateFlag } from "../options/stack-flags";

/** The command line of `trustplane doctor`, as commander gives it. */
export interface DoctorFlags {
  readonly state?: string;
  /** True for the selected stack. */
  readonly stack?: string | true;
  readonly cwd?: string;
  readonly connection?: NamedConnections;
  readonly readOnly?: boolean;
  readonly json?: boolean;
}

/** `trustplane doctor`, with its flags. */
export function addDoctor(program: Command, run: (flags: DoctorFlags) => Promise<void>): void {
  program
    .command("doctor")
    .summary("find out why a connection does not work")
    .description(
      "Check every connection step by step, from the address to the token's permissions, and say which setting to change. Writes nothing.",
    )
    .option("--stack [name]", "also the connections and the resources of a stack (default: the selected one)")
    .option("--cwd <folder>", "folder of the Pulumi program (default: this one)")
    .addOption(stateFlag(["stack", "cwd"]))
    .option(
      "--connection <name=address>",
      "address and credentials of a server; repeatable; as in trustplane drift --help",
      connectionFlag,
    )
    .option("--read-only", "ask the token only for what previews and drift detection need")
    .option("--json", "the report for programs")
    .addHelpText("after", MORE)
    .action(run);
}

const MORE = `
Without --stack or --state, the connections are those that the environment names: VAULT_ADDR, CONSUL_HTTP_ADDR, TFE_TOKEN and
so on. With one of them, also those of the stack's configuration and of its resources.

Checks, in this order: address, proxy, DNS, TCP, TLS, API, product, status, clock, namespace, token, and for each resource what the token may do.
After a check that failed, those that depend on it are not asked. No secret is shown.

${exitCodesHelp("doctor")}

Examples
  trustplane doctor
  trustplane doctor --stack acme/production --json
  trustplane doctor --connection east=https://consul.east.example.com,tokenEnv=EAST_TOKEN,service=cluster
`;
