import { ProviderError } from "../../provider/core/errors";
import { readDocument } from "../io/json-document";
import type { Terminal } from "../io/terminal";
import type { NamedConnections } from "./connection-flag";
import { type LoginsWanted, liveState, type SourceText } from "./live-state";

/** Whose trust is looked at: a stack's, or that of servers. */
export interface TrustSource {
  readonly state?: string;
  readonly live?: boolean;
  readonly connection?: NamedConnections;
}

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
