import { Option } from "commander";
import { connectionOption } from "../../sources/connection-flag";

export function stateOption(): Option {
  return new Option(
    "--state <file>",
    "what pulumi stack export or pulumi preview --json --show-sames wrote, or a state or plan of Terraform; - is the standard input",
  );
}

export function liveOption(): Option {
  return new Option(
    "--live",
    "instead of a state: what the servers have that VAULT_ADDR and CONSUL_HTTP_ADDR name; they are only read",
  ).conflicts("state");
}

export function liveConnectionOption(): Option {
  return connectionOption("with --live: address and credentials of a server; repeatable; see below");
}

/** What help says of `--connection`. */
export const LIVE_SERVERS = `
With --live, servers and credentials are found as in pulumi up: VAULT_ADDR, VAULT_TOKEN, CONSUL_HTTP_ADDR and so on, or named:
  --connection secrets=https://vault.example.com,tokenEnv=REVIEW_TOKEN                   in place of VAULT_ADDR
  --connection cluster=https://consul.example.com,tokenFile=/run/consul-token            in place of CONSUL_HTTP_ADDR
  --connection east=https://consul.east.example.com,service=cluster,tokenEnv=EAST        one more server
The fields after the address are those of trustplane drift, whose help lists them.
`;

/** The flag `--state`, which commands that look at a stack share, and the flags that it cannot stand beside. */
export function stateFlag(conflicts: readonly string[]): Option {
  const text =
    "a state instead of a stack, as `pulumi stack export` or `terraform state pull` prints it; - is the standard input";
  return new Option("--state <file>", text).conflicts([...conflicts]);
}
