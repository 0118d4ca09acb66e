import { isResettable, lacking, type ServerInfo } from "./availability";
import { isEmpty, picked } from "./canonical";
import type { Definition, SecretRule, Values, WireRecord } from "./definition";
import { isProviderError, ProviderError } from "./errors";
import { type Field, isUnset, same } from "./field";
import { secretProperties } from "./fingerprint";
import { expectedKey } from "./rotation";
import { isRecord } from "./unknowns";

/** What is known besides the values of a write. */
export interface Known {
  readonly server?: ServerInfo | undefined;
  /** What the record has by now, as far as it is known: recorded or just read. */
  readonly live?: Values;
}

/**
 * The members of a full write: every field, so that what the program does not set is reset. A field that the server
 * lacks is left out; while the server is unknown, so is one that only some servers have and nobody has set. What is
 * attached to the record has requests of its own.
 */
export function bodyOf(definition: Definition, values: Values, { server, live = {} }: Known = {}): WireRecord {
  const isSet = (name: string, field: Field) => !isUnset(field, values[name]) || !isUnset(field, live[name]);
  const members = Object.entries(definition.fields)
    .filter(
      ([name, field]) =>
        field.place === "body" &&
        name !== definition.attached?.property &&
        (server
          ? isSent(field, { value: values[name], live: live[name], server })
          : !field.availability || isSet(name, field)),
    )
    .map(([name, field]) => [field.wire, encoded(field, values[name])] as const);
  return Object.fromEntries(members);
}

/** The members of these properties only. */
export function membersOf(
  definition: Pick<Definition, "fields">,
  values: Values,
  names: readonly string[],
): WireRecord {
  const fields = Object.entries(definition.fields).filter(
    ([name, field]) => field.place === "body" && names.includes(name),
  );
  return Object.fromEntries(fields.map(([name, field]) => [field.wire, encoded(field, values[name])]));
}

/**
 * The members of a write of changes. A value that this write hides goes along, changed or not: the last look at it may
 * be old, and after the write nobody sees any more what the server has.
 */
export function changesOf(definition: Definition, values: Values, changed: readonly string[]): WireRecord {
  const hides = ([, rule]: [string, SecretRule | undefined]) =>
    typeof rule === "object" && "flag" in rule && changed.includes(rule.flag);
  const hidden = Object.entries(definition.secrets).filter(hides);
  return membersOf(definition, values, [...changed, ...hidden.map(([name]) => name)]);
}

/**
 * The state after a read: the program's own spelling where it means what the server stores, the server's value where
 * it does not, and what the server never answers carried over.
 */
export function stateOf(definition: Definition, record: WireRecord, current: Values): Record<string, unknown> {
  const state: Record<string, unknown> = { ...current };
  const hidden = secretProperties(definition, current);
  const fields = Object.entries(definition.fields);
  // It brings no more than the address.
  const isLookUp = fields.every(([name, { place }]) => place !== "body" || current[name] === undefined);
  for (const [name, field] of fields) {
    if (field.place !== "body" || definition.writeOnly.includes(name)) continue;
    const isOthers = field.isServersChoice || (field.isLeftToOthers && !isLookUp);
    if (isOthers && current[name] === undefined) continue;
    const answered = decoded(name, field, record);
    // A sensitive value reads as null: nothing was learnt about it.
    if (hidden.includes(name) && isEmpty(answered)) continue;
    const live = liveValue(definition, name, answered, current);
    // A program has to say what is required, also where it is what the server takes for none.
    const isShown = field.required && current[name] === undefined && live !== undefined;
    if (!isShown && same(field, live, current[name])) continue;
    if (!isShown && isUnset(field, live)) delete state[name];
    else state[name] = live;
  }
  for (const [name, field] of Object.entries(definition.outputs)) {
    const value = field.wire in record ? decoded(name, field, record) : current[name];
    if (value === undefined) delete state[name];
    else state[name] = value;
  }
  return state;
}

/** What the server's answer means beside what is recorded, where it does not answer everything. */
function liveValue({ secrets, rotation }: Definition, name: string, answered: unknown, current: Values): unknown {
  if (name === rotation?.keyId) return expectedKey(rotation, answered, current[name], current);
  const rule = secrets[name];
  if (typeof rule !== "object" || !("members" in rule)) return answered;
  const before = current[name];
  // The server leaves the secret members of a map out of its answer.
  const kept = isRecord(before) ? picked(before, rule.members) : {};
  if (Object.keys(kept).length === 0) return answered;
  return { ...(isRecord(answered) ? answered : {}), ...kept };
}

/** The part of a state that only the server knows. */
export function outputsOf(definition: Definition, state: Values): Values {
  return picked(state, Object.keys(definition.outputs));
}

/** A server warns of members that it does not know: what it lacks is named only to reset what it has all the same. */
function isSent(
  field: Field,
  { value, live, server }: { readonly value: unknown; readonly live: unknown; readonly server: ServerInfo },
): boolean {
  const { availability } = field;
  if (availability === undefined || lacking(availability, server) === undefined) return true;
  return isUnset(field, value) && !isUnset(field, live) && isResettable(availability, server);
}

/** @throws ResponseError for a member of another type than the API's. */
export function decoded(name: string, field: Field, record: WireRecord): unknown {
  try {
    const value = field.decode(record[field.wire], record);
    field.canonical(value);
    return value;
  } catch (error) {
    if (isProviderError(error)) throw error;
    throw new ProviderError("ResponseError", `the server's answer has a ${name} of a wrong type.`);
  }
}

function encoded(field: Field, value: unknown): unknown {
  return value === undefined ? field.empty : field.encode(value);
}
