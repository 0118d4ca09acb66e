import { Option } from "commander";
import { ProviderError } from "../../provider/core/errors";
import { readText } from "../read-text";
import type { Terminal } from "../terminal";
import { liveState } from "./live-state";

/** Whose trust is looked at: a stack's, or that of servers. */
export interface TrustSource {
  readonly state?: string;
  readonly live?: boolean;
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

/** The text of a state or a preview. */
export async function sourceText({ state, live }: TrustSource, terminal: Terminal): Promise<string> {
  if (live) return liveState(terminal);
  if (state === "-" && "isTTY" in terminal.input && terminal.input.isTTY === true)
    throw new ProviderError(
      "InputError",
      "nothing comes on the standard input, which is a terminal: pipe a state or a preview into the command, or name its file.",
    );
  if (state !== undefined) return readText(state, terminal.input);
  throw new ProviderError("ConfigError", "it is not known what to look at: give --state or --live.");
}
