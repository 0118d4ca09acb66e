import type { ServerInfo } from "../core/availability";
import { isEmpty } from "../core/canonical";
import type { Definition, Values } from "../core/definition";
import { during, ProviderError } from "../core/errors";
import { SERVER } from "../core/state-names";
import { partOf } from "../dialects/needs";
import { saidIn } from "./journal";
import { type Operation, titleOf } from "./operation";
import { placeKey } from "./run-notes";
import { statePlacesOf } from "./state-places";
import { unveiled, veiled } from "./veil";

export function withServer(state: Values, server: ServerInfo | undefined): Values {
  return server ? { ...state, [SERVER]: server.identity } : state;
}

/**
 * The first step of every operation: is this the server that the state was written to? On another one nothing is read,
 * changed, deleted or declared gone. A state that names no server, as in a create or an import, fits any.
 */
export async function assertServer(operation: Operation, state: Values): Promise<ServerInfo | undefined> {
  const { connection, signal } = operation;
  const server = await connection.server(signal);
  const { rebuilt, offline } = connection.settings;
  const written = isEmpty(state[SERVER]) ? strangerOf(operation, server) : state[SERVER];
  if (rebuilt || isEmpty(written) || written === server?.identity) return server;
  if (server !== undefined) throw otherServer(connection, written, server);
  // With `offline` the server is not asked which one it is; the connection warns about that.
  if (offline) return undefined;
  throw unsaid(connection, written);
}

/**
 * True where only the word that the server was rebuilt has let the operation pass: the stack has written nothing there, so each
 * record is one that somebody else has made.
 */
export function isElsewhere({ [SERVER]: written }: Values, server: ServerInfo | undefined): boolean {
  return server !== undefined && !isEmpty(written) && written !== server.identity;
}

/**
 * Of a resource that the program keeps where it is: it is compared with its state, so that nothing else would tell that this
 * is another server. What is new to the stack has no state that says where it belongs: it is not made here either. Answers
 * whether it is another one all the same, which the user has said.
 */
export async function assertStays(
  definition: Definition,
  { olds, news }: { readonly olds: Values; readonly news: Values },
  operationOf: (place: Values) => Operation,
): Promise<boolean> {
  let isRebuilt = false;
  for (const { names, server: written } of statePlacesOf(definition, olds)) {
    if (isEmpty(written) || Object.keys(names).some((name) => olds[name] !== news[name])) continue;
    const operation = operationOf(partOf(names, olds));
    const { connection, run } = operation;
    const server = await connection.server();
    if (server === undefined || written === server.identity) continue;
    if (connection.settings.rebuilt) {
      isRebuilt = true;
      continue;
    }
    run.said.note(`elsewhere:${veiled(ELSEWHERE, String(written))}`, [placeKey(operation)]);
    const error = otherServer(connection, written, server);
    throw during(`comparing ${titleOf(definition, news)}`, error);
  }
  return isRebuilt;
}

const ELSEWHERE = "server";

/** Before a preview looks at what is new. A server that does not say which it is was not compared either. */
export async function assertNotElsewhere(operation: Operation): Promise<void> {
  const { connection, signal } = operation;
  const server = await connection.server(signal).catch(() => undefined);
  const stranger = strangerOf(operation, server);
  if (server && stranger !== undefined && stranger !== server.identity && !connection.settings.rebuilt)
    throw otherServer(connection, stranger, server);
}

/** The other server on which a resource of the stack is, that this run has compared. */
function strangerOf(operation: Operation, server: ServerInfo | undefined): string | undefined {
  const [told] = server ? saidIn(operation.run.said.of([placeKey(operation)]), "elsewhere") : [];
  return told === undefined ? undefined : unveiled(ELSEWHERE, told);
}

function otherServer({ settings }: Operation["connection"], written: unknown, { identity }: ServerInfo): ProviderError {
  const { name, address } = settings;
  const difference = `the state was written to another server (${String(written)}) than the one at ${address.origin} (${identity})`;
  const todo = `Check the address and namespace; if the server was rebuilt, refresh once with TRUSTPLANE_REBUILT=${name} in the environment`;
  return new ProviderError("ConfigError", `${difference}. ${todo}.`);
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
