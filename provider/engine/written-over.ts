import type { Definition, Values, WireRecord } from "../core/definition";
import { editedProperties } from "../core/diff";
import { withIgnored } from "../core/ignored";
import { cutText } from "../core/plain-text";
import { stateOf } from "../core/record";
import { INCOMPLETE } from "../core/state-names";
import { isRecord } from "../core/unknowns";
import type { Decision } from "./decide";
import { type Operation, sayOnceOf, titleOf } from "./operation";

/**
 * What another hand has made or changed, and this write replaces: what a record had that is taken over, and what has changed
 * since a record was recorded. Of a list of records it says which go; other values may be secret in the program.
 */
export function writtenOver(definition: Definition, decision: Decision, olds?: Values): string {
  // What a failure has left half-way is not another hand's.
  if (decision.does === "nothing" || decision.before === undefined || olds?.[INCOMPLETE] !== undefined) return "";
  const { before, values, members } = decision;
  const live = stateOf(definition, before, olds ?? values);
  const theirs = olds && editedProperties(definition, olds, live);
  const isSent = (name: string) => (definition.fields[name]?.wire ?? "") in members;
  return editedProperties(definition, live, values)
    .filter((name) => isSent(name) && (theirs?.includes(name) ?? true))
    .map((name) => {
      const kept = namesIn(values[name]);
      const lost = namesIn(live[name]).filter((item) => !kept.includes(item));
      return lost.length === 0 ? name : `${name} → without ${cutText(lost.join(", "), LONGEST)}`;
    })
    .join("; ");
}

/** What is recorded and what the program says, with what it leaves to others as it is now: that is no change, and a full write keeps it. */
export function withIgnoredNow(
  { definition, ignored = [] }: Operation,
  record: WireRecord,
  olds: Values,
  news: Values,
) {
  const kept = (side: Values) => withIgnored(definition, side, stateOf(definition, record, side), ignored);
  return { olds: kept(olds), news: kept(news) };
}

/** Says that a change goes over what another hand has changed since, if anything. */
export function sayWrittenOver(operation: Operation, values: Values, replaced: string): void {
  if (replaced === "") return;
  const what = "somebody else has changed it since it was recorded, and it is written as the program says";
  sayOnceOf(operation, "warning", `${titleOf(operation.definition, values)}: ${what}: ${replaced}`);
}

/** The most of a list that a message has room for. */
const LONGEST = 120;

function namesIn(list: unknown): string[] {
  const records = Array.isArray(list) ? list.filter(isRecord) : [];
  return records.flatMap(({ name }) => (typeof name === "string" ? [JSON.stringify(name)] : []));
}
