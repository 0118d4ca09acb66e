import type { Definition, Values } from "../../core/definition";
import { ProviderError } from "../../core/errors";
import type { Diagnostic } from "./diagnostics";
import type { Request, WireValue } from "./protocol";
import type { Session } from "./session";
import type { ResourceTable, Tables } from "./table";
import { type RawRecord, recordIn } from "./value";

/** What a call works with. */
export interface Host {
  readonly session: Session;
  readonly tables: Tables;
  /** The answer to `GetProviderSchema` as it is sent, where the build has written it: to make it is as long as a start. */
  readonly schemaMessage?: () => Uint8Array;
}

/** What a call says beside its answer: an answer may go with an error, as what a failed write has left. */
export interface Said<T> {
  readonly answer: T;
  readonly diagnostics?: readonly Diagnostic[];
}

export function tableOf({ tables }: Host, { typeName }: Pick<Request, "typeName">): ResourceTable {
  const table = tables.resources.get(typeName);
  if (table) return table;
  throw new ProviderError("InputError", `this version of trustplane has no resource ${typeName}`);
}

export function recordOf(value: WireValue | null): RawRecord | undefined {
  return recordIn(value?.msgpack);
}

/**
 * Operations that have a turn in common wait for each other: a rename makes and deletes one record at the same time. The
 * resource has one, also before its record has an id, and so has each of its records, which may move from a set to a
 * resource of its own.
 */
export function turnsOf({ session }: Host, definition: Definition, values: readonly Values[]): readonly string[] {
  const engine = session.engine();
  const records = values.flatMap((each) => engine.records(definition, each));
  return [...new Set([...values.map((each) => turnOf(definition, each)), ...records.map(({ key }) => key)])];
}

/** That of a set is where its records are: it may take over what single resources leave whose ids it does not know. */
function turnOf({ token, identity, members }: Definition, values: Values): string {
  const own = identity.filter((name) => !["connection", "namespace", "partition"].includes(name));
  return JSON.stringify([members?.of.token ?? token, ...own.map((name) => values[name])]).toLowerCase();
}
