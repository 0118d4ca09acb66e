import type { Values } from "../../core/definition";
import { ProviderError } from "../../core/errors";
import { isRecord } from "../../core/unknowns";

/** What a state keeps of a record that is nobody's to refer to. It holds no secret. */
export interface Kept {
  /** The server that the record was written to. */
  readonly server?: unknown;
  /** The mark of the mount that the record is in, or bound to. */
  readonly mountMark?: unknown;
  /** The key of the fingerprints. */
  readonly fingerprintKey?: unknown;
  /** What a failed write has left unfinished: of a set, the records. False where only its end was not seen. */
  readonly incomplete?: unknown;
  /** The creation failed, so Terraform makes the record anew. */
  readonly isTainted?: boolean;
  /** What is not secret of properties that have secret members. */
  readonly shown?: Values;
  /** What tells the record that an update has made anew, where the plan had promised what told the former one. */
  readonly madeAnew?: Values;
  /** Another provider had the record, and nobody has read it since. */
  readonly isMoved?: boolean;
  /** In a plan, the place of the record that is made. */
  readonly replacedBy?: string | undefined;
  /** In a plan, true where the server has what the program says: what changes is how the state says it, or its timeouts. */
  readonly isStateAlone?: boolean | undefined;
  /** In a plan, the names of the records that an exclusive set removes; the plan has shown them. */
  readonly removable?: readonly string[] | undefined;
}

/** Throws where it is not what a provider has kept: a state is as untrusted as a program. Nothing of it is in the message. */
export function keptIn(bytes: Uint8Array): Kept {
  if (bytes.length === 0) return {};
  const read = jsonIn(bytes);
  if (!isRecord(read)) throw damaged("it is no JSON object");
  const wrong = Object.entries(FORMS).find(([name, fits]) => read[name] !== undefined && !fits(read[name]));
  if (wrong) throw damaged(`${wrong[0]} has a wrong type`);
  return read;
}

export function bytesOf(kept: Kept): Uint8Array {
  return Buffer.from(JSON.stringify(kept));
}

/** The error of a resource whose state nobody can go on from. */
export function damagedState(what: string): ProviderError {
  const todo = "Restore an earlier version of the state, or run `terraform state rm` and import the record again";
  return new ProviderError("InputError", `${what}. Nothing was done. ${todo}.`);
}

const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

const FORMS: { readonly [name in keyof Required<Kept>]: (value: unknown) => boolean } = {
  server: isText,
  mountMark: isText,
  fingerprintKey: isText,
  incomplete: (value) => isFlag(value) || areTexts(value),
  isTainted: isFlag,
  shown: (value) => isRecord(value) && Object.values(value).every(isRecord),
  madeAnew: (value) => isRecord(value) && Object.values(value).every(isText),
  isMoved: isFlag,
  replacedBy: isText,
  isStateAlone: isFlag,
  removable: areTexts,
};

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Its message would quote the text.
    return undefined;
  }
}

function damaged(why: string): ProviderError {
  return damagedState(`what the state keeps beside the attributes of this resource (private) is damaged: ${why}`);
}
