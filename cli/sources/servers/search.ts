import type { ServerInfo } from "../../../provider/core/availability";
import type { Definition, Values } from "../../../provider/core/definition";
import { requestPath } from "../../../provider/core/template";
import { listingOf } from "../../../provider/dialects/listing";
import { type Engine, inputsOf } from "../../../provider/engine/engine";
import { type FoundAddress, findAddresses, isUnsupportedList, readFound } from "../../../provider/engine/find-records";
import { messageOf } from "../../../provider/engine/operation";
import { classOf, type Place } from "../../stack/kinds";
import { type FoundRecord, keyOf, type NotAdopted, titleOf } from "./found-record";

/** What is asked of the engine. */
export type Reader = Pick<Engine, "call" | "read" | "server">;

/** A kind at a place: a list, or a single record. */
export interface Search {
  readonly definition: Definition;
  readonly place: Place;
}

/** A record that is to be read. */
export interface Address extends Search, FoundAddress {}

/** A record as the server has it. */
export interface LiveRecord extends Omit<FoundRecord, "hidden"> {
  readonly state: Values;
  readonly server?: ServerInfo | undefined;
}

/** The result of a question: what was found, and what the server refused, or cannot show at all. */
export interface Answer<T> {
  readonly found: readonly T[];
  readonly unread?: NotAdopted;
  readonly leftOut?: NotAdopted;
}

/** The addresses of all records of a kind at its place. */
export async function addressesAt(engine: Reader, { definition, place }: Search): Promise<Answer<Address>> {
  try {
    const found = await findAddresses(engine, definition, { place: place.values });
    return { found: found.map((address) => ({ definition, place, ...address })) };
  } catch (error) {
    const path = requestPath(listingOf(definition) ?? "", place.values).replace(/\?.*/, "");
    const failed = { what: `${classOf(definition)} in ${path}`, reason: messageOf(error) };
    return { found: [], ...(isUnsupportedList(definition, error) ? { leftOut: failed } : { unread: failed }) };
  }
}

/** The record at an address; none where it was deleted since the list was read, or where there is no such configuration. */
export async function readRecord(engine: Reader, address: Address): Promise<Answer<LiveRecord>> {
  const { definition, place } = address;
  try {
    const read = await readFound(engine, definition, address);
    if (!read) return { found: [] };
    const { id: at, state } = read;
    const server = await engine.server(definition, state);
    return { found: [{ definition, place, id: at, state, server, values: ownInputs(definition, state) }] };
  } catch (error) {
    return { found: [], unread: { what: titleOf(address), reason: messageOf(error), key: keyOf(address) } };
  }
}

/** The inputs that the record stands for. The connection is the service's own. */
function ownInputs(definition: Definition, state: Values): Values {
  const { connection: _, ...values } = inputsOf(definition, state);
  return definition.rewrite?.(values) ?? values;
}
