import { shownValue } from "../../stack/diff-lines";
import { firstOf } from "../../text/lists";
import type { FoldedDrift } from "./alike-drift";

/** One difference as text. */
export interface ShownChange {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** The differences of a property. A secret is shown by its fingerprints. */
export function shownChanges({ records, ...drift }: FoldedDrift): readonly ShownChange[] {
  const shared = records === undefined ? "" : ` in ${records.length} records (${firstOf(records)})`;
  return differences(drift).map((each) => ({ ...each, path: each.path + shared }));
}

function differences({ property, secret, changes, record, ...drift }: FoldedDrift): readonly ShownChange[] {
  const { expectedFingerprint, actualFingerprint } = drift;
  if (record === "missing") return [{ path: property, expected: "a record", actual: "(missing)" }];
  if (record === "unnamed") return [{ path: property, expected: "(not in the program)", actual: "a record" }];
  if (secret)
    return [{ path: property, expected: secretText(expectedFingerprint), actual: secretText(actualFingerprint) }];
  const all = changes.length > 0 ? changes : [{ path: property, before: drift.expected, after: drift.actual }];
  return all.map(({ path, before, after }) => ({ path, expected: shown(before, path), actual: shown(after, path) }));
}

function secretText(fingerprint: string | undefined): string {
  return fingerprint === undefined ? "[secret]" : `[secret, fingerprint ${fingerprint}]`;
}

function shown(value: unknown, path: string): string {
  return value === undefined ? "(unset)" : shownValue(value, path);
}
