import type { Definition, Members, Values } from "./definition";
import type { Field } from "./field";
import { INCOMPLETE, MOUNT_MARK, SERVER } from "./state-names";
import { isRecord, UNKNOWN } from "./unknowns";

/** Records by name, each with the values that a single resource would have. */
export type Records = ReadonlyMap<string, Values>;

/** The property with the settings that all records of a set have unless they say otherwise. */
export const DEFAULTS = "defaults";

/** The records of a set's values. Of settings that are not known yet, every property is unknown. */
export function recordsIn(definition: Definition, members: Members, values: Values): Records {
  const records = values[members.property];
  if (!isRecord(records)) return new Map();
  const shared = Object.fromEntries(sharedBy(definition, members).map((name) => [name, values[name]]));
  const defaults = settingsIn(members, values[DEFAULTS]);
  const found = Object.entries(records).map(([name, settings]) => {
    const own = { ...defaults, ...settingsIn(members, settings), ...outputsOf(members, values, name) };
    const state = isIncomplete(values, name) ? { ...shared, [INCOMPLETE]: true } : shared;
    return [name, { ...present(own), ...present(state), [members.name]: name }] as const;
  });
  return new Map(found);
}

/** The set's values with these records. Of each record stands there what differs from the defaults. */
export function withRecords(definition: Definition, members: Members, values: Values, records: Records): Values {
  const { [INCOMPLETE]: _, ...rest } = values;
  const defaults = settingsIn(members, values[DEFAULTS]);
  const shared = sharedBy(definition, members);
  const own = settingRows(definition, members).filter(([name]) => !shared.includes(name));
  const settings = [...records].map(([name, record]) => [name, difference(own, defaults, record)] as const);
  const outputs = Object.entries(members.outputs).map(([output, shown]) => {
    const known = [...records].map(([name, record]) => [name, record[output]] as const);
    return [shown, Object.fromEntries(known.filter(([, value]) => value !== undefined))] as const;
  });
  const incomplete = [...records].filter(([, record]) => record[INCOMPLETE] === true).map(([name]) => name);
  return {
    ...rest,
    [members.property]: Object.fromEntries(settings),
    ...Object.fromEntries(outputs),
    ...(incomplete.length > 0 ? { [INCOMPLETE]: incomplete } : {}),
  };
}

/** The rows of a record's settings: not its name, and not what all records of the set share. */
export function settingRows(definition: Definition, { of, name }: Members): readonly (readonly [string, Field])[] {
  return Object.entries(of.fields).filter(
    ([key, field]) => key !== name && !(key in definition.fields) && field.deprecated === undefined,
  );
}

/** What all records of the set have in common, such as the mount. */
export function sharedBy(definition: Definition, { of }: Members): readonly string[] {
  return [...Object.keys(of.fields).filter((name) => name in definition.fields), SERVER, MOUNT_MARK];
}

function settingsIn({ of }: Members, settings: unknown): Values {
  if (isRecord(settings)) return settings;
  if (settings !== UNKNOWN) return {};
  const known = Object.entries(of.fields).filter(([, field]) => field.deprecated === undefined);
  return Object.fromEntries(known.map(([name]) => [name, UNKNOWN]));
}

function outputsOf({ outputs }: Members, values: Values, name: string): Values {
  const known = Object.entries(outputs).map(([output, shown]) => {
    const all = values[shown];
    return [output, isRecord(all) && Object.hasOwn(all, name) ? all[name] : undefined] as const;
  });
  return Object.fromEntries(known);
}

/** A setting that a record lost, and that the defaults have, stands there as the value that resets it. */
function difference(rows: readonly (readonly [string, Field])[], defaults: Values, record: Values): Values {
  const own = rows.map(([name, field]) => {
    const [value, usual] = [record[name], defaults[name]];
    if (value === undefined && usual !== undefined) return [name, field.decode(field.empty) ?? field.empty] as const;
    return [name, value === usual || isSameText(value, usual) ? undefined : value] as const;
  });
  return Object.fromEntries(own.filter(([, value]) => value !== undefined));
}

function isSameText(a: unknown, b: unknown): boolean {
  return typeof a === "object" && JSON.stringify(a) === JSON.stringify(b);
}

function isIncomplete(values: Values, name: string): boolean {
  const names = values[INCOMPLETE];
  return names === true || (Array.isArray(names) && names.includes(name));
}

function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}
