import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { trimSlashes } from "../core/rows";
import { fill, parse, placeholders } from "../core/template";
import { tenantProperty } from "../core/tenant";
import { hasUnknown } from "../core/unknowns";
import { type Operation, titleOf } from "./operation";

/**
 * Takes note that this resource is about to write the record. A second resource of the program that writes the same
 * record is refused: the two would undo each other's work in every run.
 */
export function noteWrite(operation: Operation, values: Values, { isNew = false } = {}): void {
  const { run, definition, name } = operation;
  const key = recordKey(operation, values);
  // The server gives the id: the record is noted once it has one.
  if (key === undefined) return;
  const title = titleOf(definition, values);
  const first = run.get(key);
  // An unchanged resource can still be updated, by itself, after a run that failed; it cannot be made.
  if (first !== undefined && first.by !== operation && (isNew || first.by !== undefined)) {
    const reason = `another resource of this program, ${first.title}, already has ${title} at ${fill(definition.id, values)}`;
    throw new ProviderError("InputError", `${reason}. Declare each record once: remove one of the two.`);
  }
  run.set(key, { by: operation, title: name === undefined ? title : JSON.stringify(name) });
}

/**
 * Takes note of a resource of the program and its record, of which `changes` says whether this run will write or
 * replace it.
 */
export function noteDeclared(operation: Operation, state: Values, { changes }: { readonly changes: boolean }): void {
  const key = recordKey(operation, state);
  if (key === undefined || operation.run.get(key)?.by !== undefined) return;
  if (changes) operation.run.delete(key);
  else operation.run.set(key, { title: titleOf(operation.definition, state) });
}

/** Takes note of where a resource whose record is replaced wants the new one. */
export function noteWanted(operation: Operation, news: Values): void {
  if (hasUnknown(placeholders(operation.definition.id).map((name) => news[name]))) return;
  const key = recordKey(operation, news);
  if (key !== undefined) operation.run.set(wantedKey(key), { title: titleOf(operation.definition, news) });
}

/**
 * Why the record must not be deleted by this run; undefined where it may be. Such a delete comes where the engine was
 * made to create first, and where the record has another name in the program now: also from a run before this one,
 * which was stopped between the two.
 */
export function reasonToKeep(operation: Operation, values: Values): string | undefined {
  const key = recordKey(operation, values);
  const known = key === undefined ? undefined : operation.run.get(key);
  if (known === undefined) return undefined;
  return known.by ? "was written by this run" : "belongs to another resource of this program";
}

/** Takes note that the server has moved all that was below a path: the place is free, and nothing is left there to delete. */
export function noteMoved(operation: Operation, within: string, { from, to }: { from: Values; to: Values }): void {
  const key = recordKey(operation, from);
  if (key !== undefined) operation.run.delete(key);
  const place = placeKey(operation, fill(within, from));
  operation.run.set(place, { title: titleOf(operation.definition, to), to: fill(within, to) });
}

/** A record below a path that this run has moved. */
export interface MovedRecord {
  /** Where it is now. */
  readonly values: Values;
  /** What it was moved with. */
  readonly title: string;
  /** A resource of the program wants it there. */
  readonly isWanted: boolean;
}

/** Where a record of a state is now, if this run has moved it with what it is in. */
export function movedWith(operation: Operation, recorded: Values): MovedRecord | undefined {
  const { run, definition } = operation;
  const template = definition.read.path;
  const path = fill(template, recorded);
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const { to, title = "" } = run.get(placeKey(operation, path.slice(0, end))) ?? {};
    if (to === undefined) continue;
    const values = { ...recorded, ...parse(template, to + path.slice(end)) };
    const key = recordKey(operation, values);
    return { values, title, isWanted: key !== undefined && (run.has(key) || run.has(wantedKey(key))) };
  }
  return undefined;
}

function wantedKey(key: string): string {
  return `wanted ${key}`;
}

function placeKey(operation: Operation, path: string): string {
  return JSON.stringify([...serverKey(operation), "moved", path]);
}

/**
 * By address, not by the server's identity: that may be unknown at one time and known at another. Undefined for a
 * record that has no id yet.
 */
export function recordKey(operation: Operation, values: Values): string | undefined {
  const { definition } = operation;
  const given = placeholders(definition.id).filter((name) => name in definition.outputs);
  if (given.some((name) => values[name] === undefined)) return undefined;
  // The connection knows the tenant, whether the record names it or not.
  const named = { ...sameNames(definition, values), [tenantProperty(definition.dialect) ?? ""]: undefined };
  const id = fill(definition.id, named);
  return JSON.stringify([...serverKey(operation), definition.token, id]);
}

function serverKey({ connection }: Operation): readonly string[] {
  const { address, namespace = "" } = connection.settings;
  return [address.origin + address.pathname, trimSlashes(namespace)];
}

/** The values in an id, each in the one form that stands for all in which the server finds the record, such as letter case. */
function sameNames({ id, fields }: Operation["definition"], values: Values): Values {
  const named = placeholders(id).map((name) => {
    const value = values[name];
    return [name, typeof value === "string" ? (fields[name]?.canonical(value) ?? value) : value] as const;
  });
  return Object.fromEntries(named);
}
