import type { Values } from "../../../provider/core/definition.ts";
import { isRecord } from "../../../provider/core/unknowns.ts";
import { changed, type Place, type Spared, type Spelling } from "../../support/contract-case.ts";

/** What the properties that all sets have mean. They change nothing on the server by themselves. */
export const setFields = {
  exclusive: changed({ exclusive: true }, { local: true }),
  ignore: changed({ ignore: ["other-*"] }, { local: true }),
  maxDeletes: changed({ maxDeletes: 1 }, { local: true }),
  parallel: changed({ parallel: 2 }, { local: true }),
} as const;

export const setSpellings: readonly Spelling[] = [
  { title: "false and an unset flag", one: { exclusive: false }, other: { exclusive: undefined } },
  { title: "the usual limit and an unset one", one: { maxDeletes: 10 }, other: { maxDeletes: undefined } },
  { title: "the order of sets", one: { ignore: ["a", "b"] }, other: { ignore: ["b", "a"] } },
];

/** A token that may not list can do without. */
export const listSpared: Spared = {
  fault: "403",
  request: /^GET \S+(\?list=true|\/parameters)$/,
  reason: "the list before a write saves requests: without it, every record is looked for",
};

/** The places of the records that a set's state names. */
export function storedAt(property: string, placeOf: (name: string, state: Values) => Place) {
  return (state: Values): Place[] => {
    const records = state[property];
    return isRecord(records) ? Object.keys(records).map((name) => placeOf(name, state)) : [];
  };
}
