import { FINGERPRINT_KEY } from "../../provider/core/state-names";
import { hasUnknown, isRecord, UNKNOWN } from "../../provider/core/unknowns";
import { firstOf } from "../text/lists";
import { shortLine, visibleLine } from "../text/visible-text";
import type { ShownChange } from "./property-changes";
import { HIDDEN } from "./shown-records";

/** Longer values are cut, and the text says so. */
const LONGEST_VALUE = 2000;
const LONGEST_PATH = 500;

/** Internal values of hosts and provider. They are never shown, also where a program or another package copied them to. */
const KEPT_BACK = new Set<string>([FINGERPRINT_KEY, "__provider"]);

/** Changes as the lines of a unified diff: the old value, then the new one. */
export function diffLines(changes: readonly ShownChange[]): readonly string[] {
  return changes.flatMap(({ path, isSecret, records, isRemoved, ...values }) => {
    const isKeptBack = KEPT_BACK.has(/[^.]*$/.exec(path)?.[0] ?? "");
    const shown = (value: unknown) => (isKeptBack ? HIDDEN : isSecret ? String(value) : shownValue(value));
    const shared = records ? ` in ${records.length} records (${firstOf(records)})` : "";
    const name = shortLine(path, LONGEST_PATH) + shortLine(shared, LONGEST_PATH);
    // What only the server has is not in a preview.
    if (isRemoved && !("before" in values)) return [`- ${name}: (not in the program)`];
    return [
      ...("before" in values ? [`- ${name}: ${shown(values.before)}`] : []),
      ...("after" in values ? [`+ ${name}: ${shown(values.after)}`] : []),
    ];
  });
}

/** A value in one line: JSON, or words for what is not known yet. */
export function shownValue(value: unknown): string {
  if (value === UNKNOWN) return "(not known yet)";
  const known = hasUnknown(value) ? withWords(value) : value;
  const shown = (name: string, member: unknown) => (KEPT_BACK.has(name) ? HIDDEN : member);
  const text = visibleLine(JSON.stringify(known, shown) ?? "(not set)");
  if (text.length <= LONGEST_VALUE) return text;
  return `${shortLine(text, LONGEST_VALUE)} (${text.length - LONGEST_VALUE} more characters)`;
}

function withWords(value: unknown): unknown {
  if (value === UNKNOWN) return "(not known yet)";
  if (Array.isArray(value)) return value.map(withWords);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withWords(member)]));
}
