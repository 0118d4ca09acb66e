import { isEmpty } from "../../../provider/core/canonical";
import { DEFAULTS } from "../../../provider/core/members";
import { stepsOf } from "../../../provider/core/property-path";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { titleOf } from "../../../provider/engine/operation";
import { SOME_FAIL } from "../../../provider/engine/set-failures";
import type { TrustChange } from "../../facts/trust/report";
import { trustLine } from "../../facts/trust/trust-change";
import { trustChanges } from "../../facts/trust/trust-changes";
import type { CreateOutcome, TrustRecord } from "../../facts/trust/trust-record";
import { evaluated } from "../../stack/evaluated-records";
import type { Preview, PreviewStep } from "../../stack/preview";
import { isKept } from "./breakage";
import type { Section } from "./fitted";

/** Who gains or loses which policy by what a preview changes. */
export function trustOfPreview({ steps, same, takesOver, refused }: Preview): readonly TrustChange[] {
  // What is imported is on the server already: only an import that also changes it has two sides.
  const isBeside = ({ operation, before }: PreviewStep) => operation === "import" && before === undefined;
  const changed = steps.filter((step) => !isBeside(step));
  const after = (all: readonly PreviewStep[]) =>
    all.flatMap((step) =>
      recordsOf(step, step.after).map((record) => ({
        ...withoutHidden(record, step),
        outcome: outcomeOf(step, record, { takesOver, refused }),
      })),
    );
  const before = (leaves: boolean) =>
    changed
      .filter((step) => step.leaves === leaves)
      .flatMap((step) =>
        recordsOf(step, step.before).map((record) => ({
          ...withoutHidden(record, step),
          isLeft: isKept(step, steps),
        })),
      );
  return trustChanges({
    before: before(false),
    after: after(changed),
    beside: after([...same, ...steps.filter(isBeside)]),
    left: before(true),
  });
}

/** What the preview's messages say of a record, which begin with its title, or with that of its set. */
function outcomeOf(
  { definition, after = {} }: PreviewStep,
  record: TrustRecord,
  { takesOver, refused }: Pick<Preview, "takesOver" | "refused">,
): CreateOutcome | undefined {
  const title = titleOf(record.definition, record.values);
  const whole = definition === undefined ? title : titleOf(definition, after);
  const isRefused = (message: string) => {
    if (message.startsWith(`${title}: `)) return true;
    // Of a set all is refused, unless the message names records.
    return message.startsWith(`${whole}: `) && (!message.includes(SOME_FAIL) || message.includes(` ${title}: `));
  };
  if (refused.some(isRefused)) return "refused";
  const found = takesOver.find((message) => message.startsWith(`${title} is there already`));
  if (found === undefined) return undefined;
  return found.includes(", as declared. ") ? "asDeclared" : "takenOver";
}

function recordsOf({ definition, urn }: PreviewStep, values: PreviewStep["before"]): readonly TrustRecord[] {
  if (definition === undefined || values === undefined) return [];
  return evaluated(definition, values).records.map((record) => ({ ...record, urn }));
}

/**
 * Of a secret the preview shows the same on both sides, or one side: what is secret on the other one may be the same. Where
 * there is a value it is hidden on both sides, and named as one that differs, so that the two are not taken for equal.
 */
function withoutHidden(record: TrustRecord, { changes, unexplained }: PreviewStep): TrustRecord {
  const name = record.of?.name;
  const inRecord = (path: string, records?: readonly string[]): readonly string[] => {
    const [root = "", first = "", second] = stepsOf(path);
    if (name === undefined) return [root];
    if (root === DEFAULTS) return records === undefined || records.includes(name) ? [first] : [];
    return (records ?? [first]).includes(name) && second !== undefined ? [second] : [];
  };
  const differing = [
    ...changes.filter(({ isSecret }) => isSecret).flatMap(({ path, records }) => inRecord(path, records)),
    ...unexplained.flatMap((path) => inRecord(path)),
  ];
  if (differing.length === 0) return record;
  const hidden = differing
    .filter((property) => !isEmpty(record.values[property]))
    .map((property) => [property, UNKNOWN]);
  return { ...record, differing, values: { ...record.values, ...Object.fromEntries(hidden) } };
}

/** More sentences than these are folded. */
const MOST = 30;

/** Who gains or loses which policy, at the start of a comment. Of many sentences those about losses are counted, and no gain. */
export function trustSection(changes: readonly TrustChange[]): Section {
  const lineOf = (change: TrustChange) => `* ${trustLine(change)}`;
  const harmless = new Set(changes.filter(({ effect }) => effect === "loses").map(lineOf));
  const lines = changes.map(lineOf);
  return {
    title: "**Who can become what**",
    lines,
    most: Math.max(MOST, lines.length - harmless.size),
    gap: "\n",
    rest(_, left) {
      const losses = left.filter((line) => harmless.has(line)).length;
      const gains = left.length - losses;
      const parts = [
        ...(gains === 0 ? [] : [`**${gains} more may let somebody in, or give more**`]),
        ...(losses === 0 ? [] : [`${losses} more only take something away`]),
      ];
      return `* ${parts.join("; ")}: the resources below have them.`;
    },
  };
}
