import { setTimeout as sleep } from "node:timers/promises";
import type { Remove, Values } from "../core/definition";
import { isProviderError, ProviderError } from "../core/errors";
import { bodyOf } from "../core/record";
import { requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import { type Operation, patience, titleOf } from "./operation";
import { endOf } from "./wait-until";

type Removal = Exclude<Remove, "forget">;

/** What Vault says to a list of roles where another kind of thing is mounted. */
export const NO_COLLECTION = /unsupported (path|operation)/;

const GONE_BUDGET_MS = 60_000;
const GONE_PAUSE_MS = 250;

/** How these values' record goes away; undefined when the API cannot delete it. */
export function removalOf({ definition }: Operation, values: Values): Removal | undefined {
  const removal = typeof definition.delete === "function" ? definition.delete(values) : definition.delete;
  return removal === "forget" ? undefined : removal;
}

/** Deletes what is there and waits until the name can be used again. What is gone already is a success. */
export async function clear(operation: Operation, removal: Removal, values: Values): Promise<void> {
  await send(operation, removal, values);
  if (removal.awaitGone) await awaitGone(operation, removal, values);
}

/** Refuses a delete that would take other records along. */
export async function assertUninhabited(operation: Operation, values: Values): Promise<void> {
  const { inhabited } = operation.definition;
  if (!inhabited || values[inhabited.unless] === true) return;
  for (const template of inhabited.by) {
    const path = requestPath(template, values);
    const names = await namesIn(operation, path);
    if (names === undefined && inhabited.holds?.(values).includes(template)) {
      const unseen = `${path} cannot be listed on this server, and what lives there is lost`;
      operation.log("warning", `${titleOf(operation.definition, values)}: ${unseen}`);
    }
    if (names === undefined || names.length === 0) continue;
    const some = names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : "");
    throw new ProviderError(
      "InputError",
      `${names.length === 1 ? "1 role still lives" : `${names.length} roles still live`} there (${some}) and would be lost. Delete them first, or set ${inhabited.unless}: true on ${titleOf(operation.definition, values)} and update it.`,
    );
  }
}

async function send({ definition, connection, signal }: Operation, removal: Removal, values: Values): Promise<void> {
  const path = requestPath(removal.path, values);
  // Blanking is a write with every field reset.
  const members = removal.method === "POST" ? bodyOf(definition, {}, await connection.server(signal)) : undefined;
  await connection.call({ method: removal.method, path, members, signal });
}

/** Repeats the deletion: a record can be stuck as terminated while it is marked for deletion (reference cluster B.9.7). */
async function awaitGone(operation: Operation, removal: Removal, values: Values): Promise<void> {
  const { connection, signal } = operation;
  const path = requestPath(removal.path, values);
  const budgetMs = patience(operation, GONE_BUDGET_MS);
  const deadline = Date.now() + budgetMs;
  while (Date.now() < deadline) {
    const reply = await connection.call({ method: "GET", path, signal });
    if (reply.kind === "absent") return;
    if (isRecord(reply.record) && reply.record["State"] === "TERMINATED") await send(operation, removal, values);
    await sleep(GONE_PAUSE_MS, undefined, signal ? { signal } : {}).catch(() => {
      throw new ProviderError("NetworkError", `the wait until it is gone ${endOf(signal)}. Run again later.`);
    });
  }
  throw new ProviderError("ApiError", `it is still being deleted after ${budgetMs / 1000} s. Run again later.`, {
    status: 200,
  });
}

/** Undefined where the mount has no such collection, or none that can be listed. */
async function namesIn({ connection, signal }: Operation, path: string): Promise<readonly unknown[] | undefined> {
  try {
    const reply = await connection.call({ method: "GET", path: `${path}?list=true`, signal });
    const keys = reply.kind === "found" && isRecord(reply.record) ? reply.record["keys"] : undefined;
    return Array.isArray(keys) ? keys : [];
  } catch (error) {
    // Another kind of mount has no such collection: the server's own words, not those of a proxy before it.
    const said = isProviderError(error) ? (error.details ?? []) : [];
    if (said.some((detail) => NO_COLLECTION.test(detail))) return undefined;
    throw error;
  }
}
