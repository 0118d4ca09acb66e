import type { Values } from "../../core/definition";
import { isRecord } from "../../core/unknowns";

/** What a state keeps of a record that is nobody's to refer to. It holds no secret. */
export interface Kept {
  /** The server that the record was written to. */
  readonly server?: unknown;
  /** The key of the fingerprints. */
  readonly fingerprintKey?: unknown;
  /** What a failed write has left unfinished: of a set, the records. False where only its end was not seen. */
  readonly incomplete?: unknown;
  /** What is not secret of properties that have secret members. */
  readonly shown?: Values;
  /** Another provider had the record, and nobody has read it since. */
  readonly isMoved?: boolean;
  /** In a plan, the place of the record that is made. */
  readonly replacedBy?: string | undefined;
  /** In a plan, true where the server has what the program says: what changes is how the state says it, or its timeouts. */
  readonly isStateAlone?: boolean | undefined;
}

export function keptIn(bytes: Uint8Array): Kept {
  if (bytes.length === 0) return {};
  const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isRecord(read) ? read : {};
}

export function bytesOf(kept: Kept): Uint8Array {
  return Buffer.from(JSON.stringify(kept));
}
