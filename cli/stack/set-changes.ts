import { canonicalText } from "../../provider/core/canonical";
import type { Definition, Members, Values } from "../../provider/core/definition";
import { hiddenProperties } from "../../provider/core/fingerprint";
import { DEFAULTS } from "../../provider/core/members";
import { step } from "../../provider/core/property-path";
import { isRecord, UNKNOWN } from "../../provider/core/unknowns";
import type { PropertyChange, ShownChange } from "./property-changes";
import { rootOf } from "./property-paths";
import { HIDDEN, holdsSecret, isFromDefaults, isHidden, shownRecords } from "./shown-records";

/** Compares two records, property by property. */
type Compare = (
  definition: Definition,
  before: Values | undefined,
  after: Values | undefined,
) => readonly PropertyChange[];

/**
 * What differs in the records of a set, by what each of them has in effect. A change of the defaults is there once, with
 * the records that it changes, and so is the same change of several records.
 */
export function setChanges(
  definition: Definition,
  members: Members,
  { olds, news, compare }: { readonly olds: Values; readonly news: Values; readonly compare: Compare },
): readonly ShownChange[] {
  const { property, of } = members;
  if (news[property] === UNKNOWN) return [{ path: property, after: UNKNOWN }];
  const [before, after] = [olds, news].map((values) => shownRecords(definition, members, values));
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].sort();
  const inDefaults = new Map(
    compare(hidingAlways(of), settings(olds[DEFAULTS]), settings(news[DEFAULTS])).map((change) => [
      keyOf(change),
      { change, records: [] as string[] },
    ]),
  );
  const whole: ShownChange[] = [];
  const own: { readonly name: string; readonly change: PropertyChange }[] = [];
  for (const name of names) {
    const [left, right] = [before?.get(name), after?.get(name)];
    if (left === undefined || right === undefined) {
      const side = left === undefined ? { after: written(members, news, name, right) } : {};
      const gone = right === undefined ? { before: written(members, olds, name, left), isRemoved: true as const } : {};
      whole.push({ path: property + step(name), ...side, ...gone });
      continue;
    }
    for (const change of compare(of, left, right)) {
      const shared = inDefaults.get(keyOf(change));
      const place = [name, rootOf(change.path)] as const;
      if (shared && [olds, news].some((values) => isFromDefaults(members, values, place))) shared.records.push(name);
      else own.push({ name, change });
    }
  }
  return [
    ...[...inDefaults.values()].map(({ change, records }) => ({
      ...change,
      path: `${DEFAULTS}.${change.path}`,
      ...(records.length > 0 ? { records } : {}),
    })),
    ...[...Map.groupBy(own, ({ change }) => keyOf(change)).values()].flatMap((group): ShownChange[] => {
      const [first] = group;
      if (first === undefined) return [];
      const path = `${property}${step(first.name)}.${first.change.path}`;
      return [{ ...first.change, path, ...(group.length > 1 ? { records: group.map(({ name }) => name) } : {}) }];
    }),
    ...whole,
  ];
}

/** The same change at the same place of another record. */
function keyOf({ path, ...change }: PropertyChange): string {
  return canonicalText([path, change]);
}

/** Defaults may be secret in one record and not in another. */
function hidingAlways(definition: Definition): Definition {
  const secrets = Object.keys(definition.secrets).map((name) => [name, "always"] as const);
  return { ...definition, secrets: Object.fromEntries(secrets) };
}

/** Where all of them are secret, or not known, there is nothing to compare in them. */
function settings(value: unknown): Values {
  return isRecord(value) && !isHidden(value) ? value : {};
}

/** What the program wrote for a record that is added or removed, without secrets. */
function written({ property, of }: Members, values: Values, name: string, record: Values | undefined): unknown {
  const records = values[property];
  const own = isRecord(records) ? records[name] : undefined;
  if (own === UNKNOWN) return UNKNOWN;
  const hidden = hiddenProperties(of, record ?? {});
  if (!isRecord(own) || isHidden(own)) return HIDDEN;
  const shown = Object.entries(own).map(([key, value]) => [
    key,
    hidden.includes(key) || holdsSecret(value) ? HIDDEN : value,
  ]);
  return Object.fromEntries(shown);
}
