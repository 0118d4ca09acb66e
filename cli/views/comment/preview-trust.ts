import { DEFAULTS } from "../../../provider/core/members";
import { stepsOf } from "../../../provider/core/property-path";
import type { TrustChange } from "../../facts/trust/report";
import { trustLine } from "../../facts/trust/trust-change";
import { type TrustRecord, trustChanges } from "../../facts/trust/trust-changes";
import { judged } from "../../stack/judged-records";
import type { Preview, PreviewStep } from "../../stack/preview";
import type { Section } from "./fitted";

/** Who gains or loses which policy by what a preview changes. */
export function trustOfPreview({ steps, same }: Preview): readonly TrustChange[] {
  // What is imported is on the server already, and nothing is known of what it was.
  const [imported, changed] = [true, false].map((is) =>
    steps.filter(({ operation }) => (operation === "import") === is),
  );
  const after = (all: readonly PreviewStep[] = []) => all.flatMap((step) => recordsOf(step, step.after));
  const before = (is: boolean) =>
    (changed ?? [])
      .filter(({ leaves }) => leaves === is)
      .flatMap((step) => recordsOf(step, step.before).map((record) => withoutHiddenChanges(record, step)));
  return trustChanges({
    before: before(false),
    after: after(changed),
    beside: [...after([...same, ...(imported ?? [])]), ...before(true)],
  });
}

function recordsOf({ definition, urn }: PreviewStep, values: PreviewStep["before"]): readonly TrustRecord[] {
  if (definition === undefined || values === undefined) return [];
  return judged(definition, values).records.map((record) => ({ ...record, urn }));
}

/**
 * Of a secret the preview shows the same on both sides. Where it says that the secret changes, the value before is left
 * out, so that the two are not taken for equal.
 */
function withoutHiddenChanges(record: TrustRecord, { changes, unexplained }: PreviewStep): TrustRecord {
  const name = record.of?.name;
  const inRecord = (path: string, records?: readonly string[]): readonly string[] => {
    const [root = "", first = "", second] = stepsOf(path);
    if (name === undefined) return [root];
    if (root === DEFAULTS) return records === undefined || records.includes(name) ? [first] : [];
    return (records ?? [first]).includes(name) && second !== undefined ? [second] : [];
  };
  const hidden = [
    ...changes.filter(({ isSecret }) => isSecret).flatMap(({ path, records }) => inRecord(path, records)),
    ...unexplained.flatMap((path) => inRecord(path)),
  ];
  if (hidden.length === 0) return record;
  const values = Object.fromEntries(Object.entries(record.values).filter(([property]) => !hidden.includes(property)));
  return { ...record, values };
}

/** Who gains or loses which policy, at the start of a comment. */
export function trustSection(changes: readonly TrustChange[]): Section {
  return {
    title: "**Who can become what**",
    lines: changes.map((change) => `* ${trustLine(change)}`),
    most: 30,
    gap: "\n",
    rest: (missing) => `* ${missing} more changes of trust: the resources below have them.`,
  };
}
