import { canonicalText } from "../../core/canonical";
import type { Definition, Values } from "../../core/definition";
import type { Difference, EditedRecord } from "../../core/diff";
import { same } from "../../core/field";
import { hiddenProperties } from "../../core/fingerprint";
import { DEFAULTS } from "../../core/members";
import { pulumiStep, step } from "../../core/property-path";
import type { SecretParts } from "../../core/seal";
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
  /** What is secret beside the properties of the definition. */
  readonly secret: SecretParts;
}

/** Where exactly the properties differ, down to members of maps and lists. Nothing inside a secret is named. */
export function detailedDiff(
  definition: Definition,
  { changed, replaces, records }: Difference,
  compared: Compared,
): PathDifference[] {
  const { olds, oldInputs, news, secret } = compared;
  const hidden = new Set([...hiddenProperties(definition, { ...olds, ...news }), ...secret.keys()]);
  const names = [...new Set([...changed, ...replaces])];
  const details = names.flatMap((name): PathDifference[] => {
    if (name === definition.members?.property && records && !isWhollySecret(compared, name)) {
      const inRecords = records.flatMap((record) => recordDifferences(name, record, compared));
      const paths = new Map(inRecords.map((one) => [one.path, one]));
      if (paths.size > 0) return [...paths.values()];
    }
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

/**
 * The differences in one record of a set, property by property, or in the defaults where the change is made there. A
 * secret is a property as a whole: its path alone is named.
 */
function recordDifferences(
  property: string,
  { name, before, after, changed }: EditedRecord,
  { olds, news }: Compared,
): PathDifference[] {
  const at = property + step(name);
  const differ = { replaces: false, isOfInputs: false };
  if (before === undefined || after === undefined || changed.length === 0) {
    return [{ path: at, kind: kindOf(before, after), ...differ }];
  }
  const own = [olds, news].map((values) => memberIn(memberIn(values, property), name));
  return changed.map((key) => {
    const isOwn = own.some((settings) => memberIn(settings, key) !== undefined);
    const path = (isOwn ? at : DEFAULTS) + step(key);
    return { path, kind: kindOf(before[key], after[key]), ...differ };
  });
}

function memberIn(values: unknown, name: string): unknown {
  return isRecord(values) && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Nothing inside is named then, names of records included. */
function isWhollySecret({ olds, news, secret }: Compared, name: string): boolean {
  const parts = secret.get(name);
  return parts !== undefined && [olds, news].some((values) => parts.has(canonicalText(values[name])));
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
    return keys.flatMap((key): readonly Found[] => {
      const to = pulumiStep(key);
      const inside = differences(path + (to ?? ""), own(before, key), own(after, key));
      return to === undefined && inside.length > 0 ? [{ path, kind: "update" }] : inside;
    });
  }
  // What is not known yet may be anything.
  return before === after && !hasUnknown(after) ? [] : [{ path, kind: kindOf(before, after) }];
}

function kindOf(before: unknown, after: unknown): PathDifference["kind"] {
  if (before === undefined) return after === undefined ? "update" : "add";
  return after === undefined ? "delete" : "update";
}
