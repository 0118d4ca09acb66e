import type { Definition, Values, Write } from "../core/definition";
import { during, isProviderError, ProviderError } from "../core/errors";
import { fill, requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import type { Connection, Log } from "./connection";

/** How long an operation may take. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** What the user allows it, in milliseconds; `signal` ends it then. Without one, what is waited for has limits of its own. */
  readonly timeoutMs?: number | undefined;
}

/** What one operation works on. */
export interface Operation extends Limits {
  readonly definition: Definition;
  readonly connection: Connection;
  readonly log: Log;
}

/** How long to wait for something: `usualMs`, or longer where the user allows it. */
export function patience({ timeoutMs = 0 }: Limits, usualMs: number): number {
  return Math.max(usualMs, timeoutMs);
}

/** Does the work; a failure says what was being done, and to what. */
export async function doing<T>(
  verb: string,
  { definition }: { readonly definition: Titled },
  values: Values,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw during(`${verb} ${titleOf(definition, values)}`, error);
  }
}

/** What a message calls a resource or a function by. */
export interface Titled {
  readonly token: string;
  readonly label?: string | undefined;
}

/** `jwt.Role "ci"`; `cluster.getPeerings`, which is about no record in particular, or `jwt.login` without a role. */
export function titleOf({ token, label }: Titled, values: Values): string {
  const name = token.replace(":", ".");
  const value = label === undefined ? undefined : values[label];
  return value === undefined ? name : `${name} ${JSON.stringify(String(value))}`;
}

/** The record as the server has it, or undefined when it is not there. */
export async function observe(
  { definition, connection, signal }: Operation,
  values: Values,
): Promise<Values | undefined> {
  const path = requestPath(definition.read.path, values);
  const { pick } = definition.read;
  const reply = pick
    ? await connection.collection(path, fill(definition.id, values), signal)
    : await connection.call({ method: "GET", path, signal });
  if (reply.kind === "absent") return undefined;
  const record = pick ? pick(reply.record, values) : reply.record;
  if (record === undefined && reply.filtered) {
    const hint = "The token needs read on all of it.";
    throw new ProviderError("ApiError", `the list leaves out what the token may not see (GET ${path}). ${hint}`, {
      status: 200,
    });
  }
  return isRecord(record) ? record : undefined;
}

/** Sends a write; the answer is the record where the API says so, else nothing in particular. */
export async function write(
  { connection, signal }: Operation,
  request: Write,
  values: Values,
  members: Values,
): Promise<unknown> {
  const reply = await connection.call({
    method: request.method,
    path: requestPath(request.path, values),
    members: request.sends === "nothing" ? undefined : (request.layout?.(members, values) ?? members),
    values,
    mints: request.mints,
    signal,
  });
  if (reply.kind === "absent")
    throw new ProviderError("ApiError", `404 ${NOT_THERE}.`, { status: 404, details: [NOT_THERE] });
  return reply.record;
}

/** What Vault says to the tuning of a mount that is gone. */
export const NO_MOUNT = /no mount entry found/;
const NOT_THERE = "the record is not there";

/** True when a write failed because its record is gone: the API itself says so, not a proxy before it. */
export function isGone(error: unknown): boolean {
  if (!isProviderError(error) || error.details === undefined) return false;
  return error.details.some((detail) => detail === NOT_THERE || NO_MOUNT.test(detail));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
