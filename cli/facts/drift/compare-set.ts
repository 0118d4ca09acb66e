import { isEmpty } from "../../../provider/core/canonical";
import type { Definition, Members, Values } from "../../../provider/core/definition";
import { hiddenProperties } from "../../../provider/core/fingerprint";
import { DEFAULTS, type Records, recordsIn, settingRows } from "../../../provider/core/members";
import { step } from "../../../provider/core/property-path";
import { fill } from "../../../provider/core/template";
import { classOf } from "../../stack/kinds";
import { rootOf } from "../../stack/property-paths";
import type { RecordedMember } from "../../stack/recorded-set";
import type { StateValues } from "../../stack/state";
import type { Named } from "../exceptions/exceptions-file";
import { type IgnoreList, ignoredBecause } from "../exceptions/ignore-file";
import { compareRecord } from "./compare-record";
import type { PropertyDrift, ResourceReport } from "./report";
import { writeOnlyValues } from "./write-only-values";

/** A set as it was found on the server. */
interface FoundSet {
  readonly definition: Definition;
  readonly members: Members;
  readonly live: Values;
  /** Records beside the set's own, which are drift of it. */
  readonly others: Records;
  readonly ignores: IgnoreList;
  readonly about: Named;
  readonly ignoreChanges: readonly string[];
}

type Differences = Pick<ResourceReport, "properties" | "writeOnly">;

/** Compares each record of a set as a single resource is compared. Every path begins at the set. */
export function compareSet(set: StateValues, found: FoundSet): Differences {
  const { definition, members, live } = found;
  const records = recordsIn(definition, members, live);
  const named = set.records.filter(({ desired }) => desired !== undefined);
  const names = new Set(named.map(({ name }) => name));
  const compared = named.map((record) => compareMember(record, records.get(record.name), found));
  const unnamed = [...records, ...found.others].filter(([name]) => !names.has(name));
  const properties = [
    ...compared.flatMap((each) => each.properties),
    ...unnamed.map(([name, record]) =>
      wholeRecord(found, { name, id: fill(members.of.id, record), is: "unnamed", record }),
    ),
  ];
  if (set.secret.has(members.property)) return { properties: withoutNames(members, properties), writeOnly: [] };
  const inside = compared.flatMap((each) => each.writeOnly);
  const writeOnly = [
    ...writeOnlyValues(set, definition, live),
    // What is said of all defaults is not said of each.
    ...inside.filter(({ property }) => !set.encrypted.has(rootOf(property))),
  ];
  return { properties, writeOnly: [...new Map(writeOnly.map((each) => [each.property, each])).values()] };
}

function compareMember(
  { name, id, desired = {}, recorded = {}, secret, encrypted, own }: RecordedMember,
  live: Values | undefined,
  found: FoundSet,
): Differences {
  const { definition, members, ignores } = found;
  if (live === undefined) return { properties: [wholeRecord(found, { name, id, is: "missing" })], writeOnly: [] };
  const at = members.property + step(name);
  const placeOf = (property: string) => {
    const output = members.outputs[property];
    return output === undefined ? `${at}.${property}` : output + step(name);
  };
  // An entry of the ignore file may name the record as it would name a single resource.
  const about = namedAlone(found, { name, id });
  const compared = compareRecord({ desired, recorded, secret, encrypted }, members.of, live, (differing) => {
    const alone = { ...differing, about, place: differing.name };
    const inSet = { ...differing, about: found.about, place: placeOf(differing.name) };
    return ignoredBecause(alone, ignores, []) ?? ignoredBecause(inSet, ignores, found.ignoreChanges);
  });
  const isWhole = encrypted.size >= settingRows(definition, members).length;
  return {
    properties: compared.properties.map((drift) => ({
      ...drift,
      property: placeOf(drift.property),
      changes: drift.changes.map(({ path, ...change }) => ({
        ...change,
        path: placeOf(drift.property) + path.slice(drift.property.length),
      })),
    })),
    writeOnly: compared.writeOnly.map((value) => {
      const settings = own.has(value.property) ? at : DEFAULTS;
      return { ...value, property: isWhole ? settings : `${settings}.${value.property}` };
    }),
  };
}

interface WholeRecord {
  readonly name: string;
  readonly id: string;
  readonly is: "missing" | "unnamed";
  /** As the server has it. */
  readonly record?: Values;
}

/** A record that only the program has, or only the server. */
function wholeRecord(found: FoundSet, { name, id, is, record }: WholeRecord): PropertyDrift {
  const { members, ignores, about } = found;
  const place = members.property + step(name);
  const difference = { name, field: undefined, expected: undefined, actual: undefined, about, place };
  const ignored =
    ignores.whole(namedAlone(found, { name, id })) ?? ignoredBecause(difference, ignores, found.ignoreChanges);
  return {
    property: place,
    kind: "input",
    changes: [],
    record: is,
    ...(record ? { actual: shownSettings(members, record) } : {}),
    ...(ignored ? { ignored } : {}),
  };
}

/** What is set in a record, without secrets. */
function shownSettings({ of }: Members, record: Values): Values {
  const hidden = hiddenProperties(of, record);
  const isShown = ([name, value]: readonly [string, unknown]) =>
    Object.hasOwn(of.fields, name) && !hidden.includes(name) && !isEmpty(value);
  return Object.fromEntries(Object.entries(record).filter(isShown));
}

function namedAlone({ members }: FoundSet, { name, id }: Pick<WholeRecord, "name" | "id">): Named {
  return { type: classOf(members.of), name, id };
}

/** Where the program keeps all records secret, their names are secret, too. */
function withoutNames({ property }: Members, properties: readonly PropertyDrift[]): PropertyDrift[] {
  const counted = properties.find(({ ignored }) => !ignored) ?? properties[0];
  if (counted === undefined) return [];
  const { ignored } = counted;
  return [{ property, kind: "input", changes: [], secret: true, ...(ignored ? { ignored } : {}) }];
}
