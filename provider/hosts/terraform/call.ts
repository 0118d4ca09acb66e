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
 * Operations of one turn wait for each other: a rename makes and deletes one record at the same time. The turn of a set is
 * where its records are, and begins those of its records: a set takes over what single resources leave at the same time.
 */
export function turnOf({ token, identity, members }: Definition, values: Values): readonly string[] {
  const own = identity.filter((name) => !["connection", "namespace", "partition"].includes(name));
  return [members?.of.token ?? token, ...own.map((name) => String(values[name]).toLowerCase())];
}
