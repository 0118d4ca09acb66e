import { isEmpty } from "../core/canonical";
import type { Definition, Values, WireRecord } from "../core/definition";
import { isProviderError } from "../core/errors";
import type { FunctionDefinition } from "../core/function";
import { idIn } from "../core/record-id";
import { SERVER } from "../core/state-names";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import { listingOf } from "../dialects/listing";
import type { Engine } from "./engine";
import { listCall } from "./list-call";
import { addressesIn, isOfKind } from "./listed-addresses";
import type { Limits, Recorded } from "./operation";

/** What is asked of the engine. */
export type Reader = Pick<Engine, "call" | "read">;

/** A record that a list has. */
export interface FoundAddress {
  readonly id: string;
  /** The values that lead to it: those of the place, and its own. */
  readonly values: Values;
}

/** Where to look, and until when. */
export interface Where {
  readonly place: Values;
  readonly signal?: AbortSignal | undefined;
}

/** Whether a server can show such records. A pair, a set and an action have no record of their own. */
export function hasOwnRecord({ parts, members, create }: Definition): boolean {
  return !parts && !members && create.sends !== "nothing";
}

/**
 * The addresses of all records of a kind at a place, such as a mount. Of a kind with one record at each place that is its
 * address, whether or not the record is there. Throws where the server refuses the list.
 */
export async function findAddresses(
  engine: Pick<Reader, "call">,
  definition: Definition,
  { place, signal }: Where,
): Promise<readonly FoundAddress[]> {
  const addressOf = (values: Values): FoundAddress => ({ id: idIn(definition, values), values });
  if (listingOf(definition) === undefined) return [addressOf(place)];
  const { results } = await engine.call(listCallOf(definition), place, signal);
  const list = results["found"];
  const isOurs = (address: Values) => {
    const record: WireRecord | undefined = definition.read.pick?.(list, { ...place, ...address });
    // A name that ends in a slash is a folder of names.
    return (record === undefined || isOfKind(definition, record)) && !String(address[definition.label]).endsWith("/");
  };
  return addressesIn(definition, list)
    .filter(isOurs)
    .map((address) => addressOf({ ...place, ...present(address) }));
}

/** The addresses of records that are there, also of a kind with one record at each place. */
export async function findExisting(
  engine: Pick<Reader, "call">,
  definition: Definition,
  { place, signal }: Where,
): Promise<readonly FoundAddress[]> {
  const addresses = await findAddresses(engine, definition, { place, signal });
  if (listingOf(definition) !== undefined) return addresses;
  const { results } = await engine.call(listCallOf(definition), place, signal);
  return isEmpty(results["found"]) ? [] : addresses;
}

/** The request that shows what is at a place: the collection, or the one record. */
export function listCallOf(definition: Definition): FunctionDefinition {
  return listCall(definition, listingOf(definition) ?? definition.read.path);
}

/** The record at an address; undefined where it was deleted since the list was read, or where there is none. */
export function readFound(
  engine: Pick<Reader, "read">,
  definition: Definition,
  { id, values }: FoundAddress,
  limits?: Limits,
): Promise<Recorded | undefined> {
  // A list tells the name, too. A property of the body would be taken for a program's, which leaves out what others have added.
  const isAddress = ([name]: [string, unknown]) => definition.fields[name]?.place !== "body";
  const address = Object.fromEntries(Object.entries(values).filter(isAddress));
  // A state, although it names no server: of an address alone, what is not there would be an error.
  return engine.read(definition, id, { ...address, [SERVER]: undefined }, limits);
}

/** Whether the server has no such collection, or none that can be listed. */
export function isUnsupportedList({ dialect }: Definition, error: unknown): boolean {
  const { names }: Dialect = dialects[dialect];
  const said = isProviderError(error) ? (error.details ?? []) : [];
  return said.some((detail) => names?.unsupported.test(detail));
}

function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
