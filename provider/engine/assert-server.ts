import type { ServerInfo } from "../core/availability";
import { isEmpty } from "../core/canonical";
import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { SERVER } from "../core/state-names";
import type { Operation } from "./operation";

export function withServer(state: Values, server: ServerInfo | undefined): Values {
  return server ? { ...state, [SERVER]: server.identity } : state;
}

/**
 * The first step of every operation: is this the server that the state was written to? On another one nothing is read,
 * changed, deleted or declared gone. A state that names no server, as in a create or an import, fits any.
 */
export async function assertServer({ connection, signal }: Operation, state: Values): Promise<ServerInfo | undefined> {
  const server = await connection.server(signal);
  const written = state[SERVER];
  const { name, address, rebuilt, offline } = connection.settings;
  if (rebuilt || isEmpty(written) || written === server?.identity) return server;
  if (server !== undefined) {
    const difference = `the state was written to another server (${String(written)}) than the one at ${address.origin} (${server.identity})`;
    const todo = `Check the address and namespace; if the server was rebuilt, set TRUSTPLANE_REBUILT=${name} in the environment of one run`;
    throw new ProviderError("ConfigError", `${difference}. ${todo}.`);
  }
  // With `offline` the server is not asked which one it is; the connection warns about that.
  if (offline) return undefined;
  throw unsaid(connection, written);
}

/** The server where a record is to be from now on: one that may be the same as before is not deleted to be made anew. */
export async function serverNow(connection: Operation["connection"], written: unknown) {
  const server = await connection.server();
  if (server === undefined && !connection.settings.offline) throw unsaid(connection, written);
  return server;
}

function unsaid({ settings, whyUnknown }: Operation["connection"], written: unknown): ProviderError {
  const what = `the server at ${settings.address.origin} did not say whether it is the one that the state was written to (${String(written)})`;
  return new ProviderError("ResponseError", `${what}: ${whyUnknown()}`);
}
