import { Option } from "commander";
import { ProviderError } from "../../provider/core/errors";
import { readDocument } from "../io/json-document";
import type { Terminal } from "../io/terminal";
import { connectionOption, type NamedConnections } from "./connection-flag";
import { type LoginsWanted, liveState } from "./live-state";
import type { SourceText } from "./source-text";

/** Whose trust is looked at: a stack's, or that of servers. */
export interface TrustSource {
  readonly state?: string;
  readonly live?: boolean;
  readonly connection?: NamedConnections;
}

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

/** The text of a state or a preview. */
export async function sourceText(
  { state, live, connection }: TrustSource,
  terminal: Terminal,
  others: LoginsWanted = "counted",
): Promise<SourceText> {
  if (live) return liveState(terminal, others, connection);
  if (connection !== undefined) throw new ProviderError("ConfigError", "--connection needs --live.");
  if (state === "-" && "isTTY" in terminal.input && terminal.input.isTTY === true)
    throw new ProviderError(
      "InputError",
      "nothing comes on the standard input, which is a terminal: pipe a state or a preview into the command, or name its file.",
    );
  if (state !== undefined) return { text: await readDocument(state, terminal.input), logins: [], notLookedAt: [] };
  throw new ProviderError("ConfigError", "it is not known what to look at: give --state or --live.");
}
