import { type Command, InvalidArgumentError, Option } from "commander";
import { connectionOption } from "../../sources/connection-flag";
import type { NamedStack } from "../../sources/stack-source";
import { helpText } from "../options/help-text";
import { addStackOptions } from "../options/stack-options";

/** The command line of `trustplane drift`, as commander gives it. */
export interface DriftFlags extends NamedStack {
  readonly stack?: string;
  readonly decrypt?: boolean;
  /** Absent: where the token may. */
  readonly unmanaged?: boolean;
  readonly ignore?: string;
  readonly parallel: number;
  readonly fixWith?: "up" | "refresh";
  /** A file, or true for the standard output. */
  readonly json?: string | true;
  readonly markdown?: string | true;
  readonly sarif?: string | true;
  readonly html?: string | true;
}

/** Requests at once: enough to hide the latency of the network, and a small load for a server. */
const PARALLEL = 16;
const MOST_PARALLEL = 64;

/** `trustplane drift`, with its flags. */
export function addDrift(program: Command, run: (flags: DriftFlags) => Promise<void>): void {
  const command = program
    .command("drift")
    .summary("compare a stack's state with the servers")
    .description(
      "Compare what a stack's state says with what the servers have, property by property. Only reads: no program is run, nothing is written or issued.",
    )
    .action((file: string | undefined, flags: DriftFlags) => run({ ...flags, file }));
  addStackOptions(command, "drift", { besideNoState: ["decrypt"] })
    .option("--decrypt", "have Pulumi decrypt the secrets in memory, to compare those that the servers show")
    .addOption(connectionOption())
    .option(
      "--unmanaged",
      "also look for mounts, policies and groups beside the stack's, and fail where the token may not list",
    )
    .option("--no-unmanaged", "do not look for records that the stack does not manage")
    .option("--ignore <file>", "file of differences that do not count, with reasons and expiry dates; see below")
    .option("--parallel <count>", "requests at once to a server; fewer after it answered 429", count, PARALLEL)
    .addOption(
      new Option(
        "--fix-with <command>",
        "print the command that repairs (up) or accepts (refresh) what differs, of the tool that has the state",
      ).choices(["up", "refresh"]),
    )
    .option("--json [file]", "the report for programs (schema: docs/drift-report.schema.json in the package)")
    .option("--markdown [file]", "the report for pull requests and issues")
    .option("--sarif [file]", "the report for code scanning, SARIF 2.1.0")
    .option("--html [file]", "the report as one page to look at, with filters")
    .addHelpText("after", helpText("drift", { about: ABOUT, examples: EXAMPLES }));
}

const ABOUT = `
A report goes to its file, or to the standard output in place of the table.
Servers and credentials are found as in pulumi up: VAULT_ADDR, VAULT_TOKEN, CONSUL_HTTP_ADDR, TFE_TOKEN and so on, and the
stack's configuration in the program's folder. The token needs "read" where the resources are, and on the
configurations of their mounts, and "list" to find records that the stack does not manage. What it may not look at is said,
and is no failure without --unmanaged.

Nothing is sent to a server whose address only the state knows, and no token, variable or file that only the state names
is used: somebody may have changed the state. With --state, and for providers that the program creates, name the server:
  --connection east=https://consul.east.example.com,tokenEnv=EAST_TOKEN    a connection of trustplane:connections
  --connection west.cluster=https://consul.west.example.com,tokenEnv=WEST  the provider "west" of the program
  --connection secrets=https://vault.example.com                           the service itself: secrets, cluster or policy
A state of Terraform has no connections: the service's own server is that of the environment, and --connection gives the others:
  --connection east=https://consul.east.example.com,service=cluster,tokenEnv=EAST     connection_name = "east"
  --connection west.cluster=https://consul.west.example.com,tokenEnv=WEST             provider = trustplane.west
Fields after the address: service, namespace, partition, tokenEnv, tokenFile, httpAuthEnv, caCertFile, caCertPem, caCertDir,
clientCertFile, clientCertPem, clientKeyFile, tlsServerName.

Secrets are masked in every report. A value that the servers never show is verified by a property that changes with it,
such as the access key ID, or is reported as unverifiable.

The ignore file is YAML or JSON:
  ignore:
    - resource: jwt.Role ci        # URN, id, or class and name; * stands for any characters
      property: boundClaims.ref    # a property, or a path into it; the whole resource without it
      reason: OPS-12, until the runner is replaced
      expires: 2026-12-31          # the day from which it counts again; expired and unused entries are reported
`;

const EXAMPLES = [
  "trustplane drift --stack acme/production",
  "pulumi stack export | trustplane drift --json",
  "trustplane drift --html drift.html --fix-with up",
  "terraform state pull | trustplane drift -",
];

function count(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= MOST_PARALLEL) return value;
  throw new InvalidArgumentError(`It is a number from 1 to ${MOST_PARALLEL}.`);
}
