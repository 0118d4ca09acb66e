import { type Command, InvalidArgumentError, Option } from "commander";
import { SERVICE_NAMES, type Service } from "../../../provider/core/connection-entry";
import { connectionOption } from "../../sources/connection-flag";
import type { NamedStack } from "../../sources/stack-source";
import { helpText } from "../options/help-text";
import { addStackOptions } from "../options/stack-options";

/** The command line of `trustplane adopt`, as commander gives it. */
export interface AdoptFlags extends NamedStack {
  /** Undefined only with `diff`. */
  readonly out?: string;
  readonly diff?: boolean;
  readonly fromState?: string;
  readonly provider: readonly string[];
  readonly service: readonly Service[];
  readonly mount: readonly string[];
  readonly organization: readonly string[];
  readonly policySet: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly classes: "plugin" | "dynamic";
  readonly language: "typescript" | "python" | "go" | "yaml" | "hcl";
  readonly fold: boolean;
}

/** `trustplane adopt`, with its flags. */
export function addAdopt(program: Command, run: (flags: AdoptFlags) => Promise<void>): void {
  const command = program
    .command("adopt")
    .summary("write a program for what servers already have")
    .description(
      "Read servers and write a Pulumi or Terraform project that manages what they have. Only reads: nothing is written to a server, and no credentials are issued.",
    )
    .action((file: string | undefined, flags: AdoptFlags) => run({ ...flags, file }));
  addStackOptions(command, "adopt")
    .option("--out <folder>", "where to write the project: a new or empty folder")
    .addOption(
      new Option(
        "--service <name>",
        `${SERVICE_NAMES.join(", ")}; repeatable (default: those that the environment names)`,
      )
        .argParser(service)
        .default([], ""),
    )
    .addOption(
      listFlag("--mount <path>", "only this mount and what is in it, without auth/; * stands for any characters"),
    )
    .addOption(listFlag("--organization <name>", "organization of HCP Terraform whose policy sets to read"))
    .addOption(listFlag("--policy-set <id>", "policy set whose parameters to read"))
    .addOption(listFlag("--include <pattern>", "only these records: an id, or class and name such as 'jwt.Role ci-*'"))
    .addOption(listFlag("--exclude <pattern>", "all but these records"))
    .addOption(
      new Option(
        "--classes <kind>",
        "plugin: the program imports from trustplane/native; dynamic: from trustplane; see below",
      )
        .choices(["plugin", "dynamic"])
        .default("plugin"),
    )
    .addOption(
      new Option(
        "--language <name>",
        "language of the program; hcl is for Terraform; all but typescript have only the plugin's classes",
      )
        .choices(["typescript", "python", "go", "yaml", "hcl"])
        .default("typescript"),
    )
    .option("--no-fold", "write every resource by itself, without loops over data")
    .addOption(
      new Option(
        "--diff",
        "only what a stack does not have yet, in its mounts, policy sets and clusters; printed without --out",
      ).conflicts(["service", "mount", "organization", "policySet", "classes"]),
    )
    .addOption(
      new Option(
        "--from-state <file>",
        "only what a state of the vault, consul or tfe provider has, with its names: of Terraform, or an export of a Pulumi stack; - is the standard input",
      ).conflicts(["diff", "service", "mount", "organization", "policySet"]),
    )
    .addOption(
      listFlag("--provider <name>", "with --from-state: only what this provider of the state has, such as vault.east"),
    )
    .addOption(connectionOption())
    .addHelpText("after", helpText("adopt", { about: ABOUT, examples: EXAMPLES }));
}

function listFlag(flag: string, text: string): Option {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  return new Option(flag, `${text}; repeatable`).argParser(collect).default([], "");
}

function service(text: string, before: readonly Service[]): readonly Service[] {
  const found = SERVICE_NAMES.find((name) => name === text);
  if (found) return [...before, found];
  throw new InvalidArgumentError(`It is one of ${SERVICE_NAMES.join(", ")}.`);
}

const ABOUT = `
Servers and credentials are found as in pulumi up: VAULT_ADDR, VAULT_TOKEN, CONSUL_HTTP_ADDR, TFE_TOKEN and so on. The
token needs "read" and "list".

With the plugin's classes the project has import.json for \`pulumi import --file\`: then a preview shows no change.
With the dynamic classes the first \`pulumi up\` takes the records over. With --language hcl the project has import blocks
for \`terraform apply\`. The project's README.md has the commands.
What no server shows, such as a client secret, is read from the stack's configuration, or from a variable of Terraform.
Until it is set there, the record is left alone.

--from-state takes what \`terraform state pull\` or \`pulumi stack export\` prints. Values are read from the servers, and README.md
has the commands with which the old state forgets its records. A state with several providers of one kind, which may be several
servers, needs --provider: run it once for each server.

--diff looks where \`trustplane drift --unmanaged\` looks, and also names what the stack has and the servers have not. Its
--connection is that of \`trustplane drift\`.
`;

const EXAMPLES = [
  "trustplane adopt --out trust",
  "trustplane adopt --mount jwt-ci --mount 'cloud*' --out trust",
  "trustplane adopt --service policy --organization acme --out policies",
  "trustplane adopt --service policy --policy-set polset-demo000000000001 --out parameters",
  "trustplane adopt --language python --out trust",
  "trustplane adopt --language hcl --out trust",
  "trustplane adopt --exclude 'jwt.Role test-*' --no-fold --out trust",
  "terraform state pull | trustplane adopt --from-state - --out trust",
  "trustplane adopt --diff --stack acme/production",
  "pulumi stack export | trustplane adopt --diff --out difference",
  "terraform state pull | trustplane adopt --diff --language hcl --out difference",
];
