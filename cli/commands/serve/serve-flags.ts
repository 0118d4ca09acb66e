import { type Command, InvalidArgumentError, Option } from "commander";
import { profiles } from "../../../server/profiles/profiles";
import { helpText } from "../options/help-text";
import { portFlag } from "../options/parsed-options";
import type { ServeFlags } from "./serve-command";

type RunServe = (flags: ServeFlags) => Promise<void>;

/** `trustplane serve`, with its flags. */
export function addServe(program: Command, run: RunServe): void {
  program
    .command("serve")
    .summary("run the embedded server")
    .description("Run the embedded server: Vault, Consul and HCP Terraform as trustplane needs them.")
    .addOption(
      new Option(
        "--profile <name>",
        "products and releases to imitate (default: those of the last start with this data, or vault)",
      ).choices(Object.keys(profiles)),
    )
    .option("--json", "print one line of JSON with addresses and tokens once everything listens")
    .option(
      "--data <file>",
      "keep everything in this file, secrets included (mode 0600), and continue from it (default: in memory)",
    )
    .option("--bind <address>", "address to listen on", "127.0.0.1")
    .option(
      "--token <token>",
      "root token of the Vault-like service (default: that of the last start, or random)",
      token,
    )
    .option("--consul-token <token>", "management token of the Consul-like service (default: likewise)", token)
    .option("--tfe-token <token>", "token of the HCP-Terraform-like service (default: likewise)", token)
    .option("--no-mounts", "mount no auth method and no secrets engine at the first start")
    .option(
      "--tls <file>",
      "the services speak HTTPS with a certificate made at the start, whose authority is written to this file",
    )
    .option(
      "--tls-cert-file <file>",
      "the Vault-like service speaks HTTPS with this PEM certificate, and asks for client certificates; needs --tls-key-file",
    )
    .option("--tls-key-file <file>", "PEM key of that certificate")
    .option("--secrets-port <port>", "port of the Vault-like service (default: any free port)", portFlag)
    .option("--cluster-port <port>", "port of the Consul-like service (default: any free port)", portFlag)
    .option("--policy-port <port>", "port of the HCP-Terraform-like service (default: any free port)", portFlag)
    .option("--admin-port <port>", "port of the admin interface (default: any free port)", portFlag)
    .option(
      "--datacenter <name>",
      "name of the Consul-like service's datacenter (default: that of the last start with this data, or dc1)",
    )
    .option(
      "--policy-set <id>",
      "policy set that exists from the start (default: that of the last start with this data, or polset-demo000000000001)",
    )
    .option(
      "--policy-rate-limit <n>",
      "answer 429 to more requests a second; HCP Terraform takes 30 (default: no limit)",
      rate,
    )
    .option("--issuer", "run an identity provider too, on loopback only, for logins through a browser (OIDC)")
    .addOption(
      new Option("--issuer-port <port>", "port of the identity provider (default: any free port); implies --issuer")
        .argParser(portFlag)
        .implies({ issuer: true }),
    )
    .addOption(
      new Option("--cloud-user <name>", "user that the cloud has from the start; repeatable")
        .argParser(collect)
        .default([], ""),
    )
    .addOption(
      new Option("--fail <spec>", "scripted fault, such as 'POST auth/jwt/role/* 503 x2'; repeatable")
        .argParser(collect)
        .default([], ""),
    )
    .addHelpText("after", helpText("serve", { about: FAULTS, examples: EXAMPLES }))
    .action((flags: ServeFlags) => run(flags));
}

const FAULTS = `
Faults: METHOD PATH ACTION [after] [retry-after=<s>] [service=secrets|cluster|policy|issuer] [xN]
  METHOD  in capitals, or *; a GET with ?list=true counts as LIST
  PATH    without /v1/ or /api/v2/; * stands for any characters
  ACTION  a status from 400 to 599, cut (no answer), slow:<ms> (half of the body, then a wait), sealed
  after   perform the operation first, then fail the answer
  xN      N times (default: until the fault is deleted in the admin interface)
`;

const EXAMPLES = [
  "trustplane serve",
  "trustplane serve --data servers.json --secrets-port 8200",
  "trustplane serve --fail 'POST auth/jwt/role/* 503 x2'",
];

// As in a header.
function token(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError("A token is a text of ASCII characters without blanks.");
}

function rate(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A rate limit is a number of requests a second, from 1.");
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
