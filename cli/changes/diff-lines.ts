import { hasUnknown, isRecord, UNKNOWN } from "../../provider/core/unknowns";
import type { ShownChange } from "./resource-changes";
import { visibleLine } from "./visible-text";

/** Longer ones are cut, and say so. */
const LONGEST_VALUE = 2000;

/** Changes as the lines of a unified diff, what goes before what comes. */
export function diffLines(changes: readonly ShownChange[]): readonly string[] {
  return changes.flatMap(({ path, isSecret, ...values }) => {
    const shown = (value: unknown) => (isSecret ? String(value) : shownValue(value));
    const name = visibleLine(path);
    return [
      ...("before" in values ? [`- ${name}: ${shown(values.before)}`] : []),
      ...("after" in values ? [`+ ${name}: ${shown(values.after)}`] : []),
    ];
  });
}

/** A value in one line: JSON, or words for what is not known yet. */
export function shownValue(value: unknown): string {
  if (value === UNKNOWN) return "(known after up)";
  const text = visibleLine(JSON.stringify(hasUnknown(value) ? withWords(value) : value) ?? "(not set)");
  if (text.length <= LONGEST_VALUE) return text;
  return `${text.slice(0, LONGEST_VALUE)}… (${text.length - LONGEST_VALUE} more characters)`;
}

function withWords(value: unknown): unknown {
  if (value === UNKNOWN) return "(known after up)";
  if (Array.isArray(value)) return value.map(withWords);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withWords(member)]));
}
