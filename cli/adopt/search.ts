import type { Definition, Values, WireRecord } from "../../provider/core/definition";
import { isProviderError } from "../../provider/core/errors";
import { SERVER } from "../../provider/core/state-names";
import { requestPath } from "../../provider/core/template";
import { dialects } from "../../provider/dialects";
import type { Dialect } from "../../provider/dialects/dialect";
import { listingOf } from "../../provider/dialects/listing";
import { type Engine, inputsOf } from "../../provider/engine/engine";
import { messageOf } from "../../provider/engine/operation";
import { listCall } from "../drift/list-call";
import { addressesIn } from "../drift/listing";
import { idIn } from "../drift/record-id";
import { type FoundRecord, type NotAdopted, titleOf } from "./found-record";
import { classOf, isOfKind, type Place } from "./kinds";

/** What is asked of the engine. */
export type Reader = Pick<Engine, "call" | "read">;

/** A kind at a place: a list, or a single record. */
export interface Search {
  readonly definition: Definition;
  readonly place: Place;
}

/** A record that is to be read. */
export interface Address extends Search {
  readonly id: string;
  readonly values: Values;
}

/** A record as the server has it. */
export interface LiveRecord extends Omit<FoundRecord, "hidden"> {
  readonly state: Values;
}

/** The result of a question: what was found, and what the server refused, or cannot show at all. */
export interface Answer<T> {
  readonly found: readonly T[];
  readonly unread?: NotAdopted;
  readonly leftOut?: NotAdopted;
}

/** The addresses of all records of a kind at its place. */
export async function addressesAt(engine: Reader, { definition, place }: Search): Promise<Answer<Address>> {
  const template = listingOf(definition);
  const addressOf = (values: Values): Address => ({ definition, place, id: idIn(definition, values), values });
  if (template === undefined) return { found: [addressOf(place.values)] };
  try {
    const { results } = await engine.call(listCall(definition, template), place.values);
    const list = results["found"];
    const isOurs = (address: Values) => {
      const record: WireRecord | undefined = definition.read.pick?.(list, { ...place.values, ...address });
      // A name that ends in a slash is a folder of names.
      return (record === undefined || isOfKind(definition, record)) && !String(address[definition.label]).endsWith("/");
    };
    const addresses = addressesIn(definition, list).filter(isOurs);
    return { found: addresses.map((address) => addressOf({ ...place.values, ...present(address) })) };
  } catch (error) {
    const { names }: Dialect = dialects[definition.dialect];
    const said = isProviderError(error) ? (error.details ?? []) : [];
    const path = requestPath(template, place.values).replace(/\?.*/, "");
    const failed = { what: `${classOf(definition)} in ${path}`, reason: messageOf(error) };
    const isUnsupported = said.some((detail) => names?.unsupported.test(detail));
    return { found: [], ...(isUnsupported ? { leftOut: failed } : { unread: failed }) };
  }
}

/** The record at an address; none where it was deleted since the list was read, or where there is no such configuration. */
export async function readRecord(engine: Reader, address: Address): Promise<Answer<LiveRecord>> {
  const { definition, place, id, values } = address;
  try {
    // A state, although it names no server: of an address alone, what is not there would be an error.
    const read = await engine.read(definition, id, { ...values, [SERVER]: undefined });
    if (!read) return { found: [] };
    const { id: at, state } = read;
    return { found: [{ definition, place, id: at, state, values: ownInputs(definition, state) }] };
  } catch (error) {
    return { found: [], unread: { what: titleOf(address), reason: messageOf(error) } };
  }
}

/** The inputs that the record stands for. The connection is the service's own. */
function ownInputs(definition: Definition, state: Values): Values {
  const { connection: _, ...values } = inputsOf(definition, state);
  return definition.rewrite?.(values) ?? values;
}

function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
