import type { Definition, Values } from "../../core/definition";
import type { Difference } from "../../core/diff";
import { same } from "../../core/field";
import { hiddenProperties } from "../../core/fingerprint";
import { step } from "../../core/property-path";
import { FINGERPRINTS } from "../../core/state-names";
import { hasUnknown, isRecord } from "../../core/unknowns";

/** One difference as Pulumi shows it. */
export interface PathDifference {
  /** Such as `boundClaims.team[0]`. */
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
  /** The old value is that of the inputs, not of the recorded state. */
  readonly isOfInputs: boolean;
}

/** The three records that a difference is between. */
export interface Compared {
  readonly olds: Values;
  readonly oldInputs: Values;
  readonly news: Values;
  /** Properties that are secret beside those of the definition. */
  readonly secret: readonly string[];
}

/** Where exactly the properties differ, down to members of maps and lists. Nothing inside a secret is named. */
export function detailedDiff(definition: Definition, { changed, replaces }: Difference, compared: Compared) {
  const { olds, oldInputs, news, secret } = compared;
  const hidden = new Set([...hiddenProperties(definition, { ...olds, ...news }), ...secret]);
  const names = [...new Set([...changed, ...replaces])];
  const details = names.flatMap((name): PathDifference[] => {
    const field = definition.fields[name];
    const isOfInputs = field !== undefined && !same(field, oldInputs[name], news[name]);
    const before = isOfInputs ? oldInputs[name] : olds[name];
    const found = hidden.has(name) ? [] : differences(name, before, news[name]);
    // The same to a reader and not to the server, or unseen: the property as a whole.
    const whole = { path: name, kind: kindOf(before, news[name]) } as const;
    const shown = found.length > 0 ? found : [whole];
    return shown.map((one) => ({ ...one, replaces: replaces.includes(name), isOfInputs }));
  });
  return [...details, ...fingerprintsOf(names, oldInputs, news)];
}

/** What shows of a changed secret. */
function fingerprintsOf(names: readonly string[], oldInputs: Values, news: Values): PathDifference[] {
  const [before, after] = [oldInputs[FINGERPRINTS], news[FINGERPRINTS]].map((prints) =>
    isRecord(prints) ? prints : {},
  );
  return names
    .filter((name) => before?.[name] !== after?.[name])
    .map((name) => {
      const kind = kindOf(before?.[name], after?.[name]);
      return { path: FINGERPRINTS + step(name), kind, replaces: false, isOfInputs: true };
    });
}

type Found = Pick<PathDifference, "path" | "kind">;

function differences(path: string, before: unknown, after: unknown): readonly Found[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const indexes = [...Array(Math.max(before.length, after.length)).keys()];
    return indexes.flatMap((at) => differences(path + step(at), before[at], after[at]));
  }
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    // A claim may have a name by which every object inherits something, such as `constructor`.
    const own = (record: Values, key: string) => (Object.hasOwn(record, key) ? record[key] : undefined);
    return keys.flatMap((key) => differences(path + step(key), own(before, key), own(after, key)));
  }
  // What is not known yet may be anything.
  return before === after && !hasUnknown(after) ? [] : [{ path, kind: kindOf(before, after) }];
}

function kindOf(before: unknown, after: unknown): PathDifference["kind"] {
  if (before === undefined) return after === undefined ? "update" : "add";
  return after === undefined ? "delete" : "update";
}
