import type { ServerInfo } from "../core/availability";
import { isEmpty } from "../core/canonical";
import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import type { Operation } from "./operation";

/** The property that remembers which server the state was written to. */
export const SERVER = "server";

export function withServer(state: Values, server: ServerInfo | undefined): Values {
  return server ? { ...state, [SERVER]: server.identity } : state;
}

/** On another server than the one the state was written to, nothing is ever changed or declared gone. */
export function assertSameServer({ connection }: Operation, state: Values, server: ServerInfo | undefined): void {
  const written = state[SERVER];
  const { configKey, address, rebuilt } = connection.settings;
  if (rebuilt || server === undefined || isEmpty(written) || written === server.identity) return;
  throw new ProviderError(
    "ConfigError",
    `the state was written to another server (${String(written)}) than the one at ${address.origin} (${server.identity}). Check the address and namespace; if the server was rebuilt, set \`rebuilt: true\` in ${configKey} for one run.`,
  );
}

/** A server that does not say which one it is may be another one: what it lacks is not gone for that. */
export function assertKnownServer({ connection }: Operation, state: Values, server: ServerInfo | undefined): void {
  const { configKey, address, rebuilt, offline } = connection.settings;
  if (server !== undefined || rebuilt || offline || isEmpty(state[SERVER])) return;
  throw new ProviderError(
    "ResponseError",
    `it is not on the server at ${address.origin}, which did not say whether it is the one that the state was written to (${String(state[SERVER])}). Run again; where the server never says so, set \`offline: true\` in ${configKey}.`,
  );
}
