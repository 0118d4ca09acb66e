import type { ServerInfo } from "./availability";
import { type Checked, check, recordedForm } from "./check";
import type { Definition, Members, Values } from "./definition";
import type { Failure } from "./errors";
import { DEFAULTS, recordsIn, settingRows } from "./members";
import { step } from "./property-path";
import { isRecord } from "./unknowns";

/** Checks what a program has written of a resource: of a single record, a pair or a set. */
export function checkResource(definition: Definition, news: Values, olds: Values = {}, server?: ServerInfo): Checked {
  const { members } = definition;
  return members ? checkSet(definition, members, news, olds, server) : check(definition, news, olds, server);
}

/**
 * Checks a set: its own properties, and each record as a single resource is checked. What is wrong with a record stands at
 * its path, or at the path of the defaults that it comes from.
 */
function checkSet(
  definition: Definition,
  members: Members,
  news: Values,
  olds: Values,
  server: ServerInfo | undefined,
): Checked {
  const own = check(definition, news, olds, server);
  const written = own.inputs[members.property];
  if (own.failures.length > 0 || !isRecord(written)) return own;
  const record = recordTable(definition, members);
  const defaults = isRecord(own.inputs[DEFAULTS]) ? own.inputs[DEFAULTS] : undefined;
  const settings = new Map<string, unknown>();
  const before = [...recordsIn(definition, members, olds)];
  const known = new Map(before.map(([name, values]) => [nameIn(members, name), values] as const));
  const failures: Found[] = [];
  const warnings: Found[] = [];
  for (const [name, values] of recordsIn(definition, members, own.inputs)) {
    const recordedName = nameIn(members, name);
    const had = known.get(recordedName);
    const checked = check(record, values, had && { ...had, [members.name]: recordedName }, server);
    const at = members.property + step(name);
    const place = placeIn(definition, members, { at, settings: written[name], defaults });
    failures.push(...checked.failures.flatMap(place));
    warnings.push(...checked.warnings.flatMap(place));
    if (settings.has(recordedName)) failures.push({ property: at, rest: "", reason: "is there twice, as one name" });
    settings.set(recordedName, recordedSettings(written[name], checked.inputs));
  }
  const inputs = {
    ...own.inputs,
    ...(defaults ? { [DEFAULTS]: recordedDefaults(record, defaults) } : {}),
    [members.property]: Object.fromEntries(settings),
  };
  return { inputs, failures: summed(failures), warnings: [...own.warnings, ...summed(warnings)] };
}

/** A record's name as it is recorded. */
function nameIn({ of, name }: Members, written: string): string {
  const field = of.fields[name];
  return field ? String(recordedForm(name, field, written)) : written;
}

/** A failure, and the part of its path that several records may have in common. */
interface Found extends Failure {
  readonly rest: string;
}

/** The table of a record as its settings are written: without deprecated forms, and without hashes of secrets. */
function recordTable(definition: Definition, members: Members): Definition {
  const rows = settingRows(definition, members).map(([name]) => name);
  const kept = Object.entries(members.of.fields).filter(
    ([name]) => rows.includes(name) || name === members.name || name in definition.fields,
  );
  return { ...members.of, fields: Object.fromEntries(kept), secrets: {} };
}

/** Where a failure of a record stands in the set. What is wrong with a shared property is said once, of the set itself. */
function placeIn(
  definition: Definition,
  { name }: Members,
  { at, settings, defaults }: { at: string; settings: unknown; defaults: Values | undefined },
) {
  return ({ property, reason }: Failure): Found[] => {
    const [head = ""] = property.split(/[.[]/);
    if (head in definition.fields) return [];
    if (head === name) return [{ property: at, rest: "", reason }];
    const isOwn = isRecord(settings) && Object.hasOwn(settings, head);
    if (!isOwn && defaults && Object.hasOwn(defaults, head))
      return [{ property: `${DEFAULTS}.${property}`, rest: property, reason }];
    return [{ property: `${at}.${property}`, rest: property, reason }];
  };
}

/** One failure for all records that have the same one. */
function summed(found: readonly Found[]): Failure[] {
  const groups = Map.groupBy(found, ({ rest, reason }) => JSON.stringify([rest, reason]));
  return [...groups.values()].flatMap((group) => {
    const places = [...new Set(group.map(({ property }) => property))];
    const [property = ""] = places;
    const more = places.length - 1;
    const reason = group[0]?.reason ?? "";
    return [{ property, reason: more === 0 ? reason : `${reason} (and ${more} more like it)` }];
  });
}

function recordedSettings(written: unknown, checked: Values): unknown {
  if (!isRecord(written)) return written;
  const entries = Object.entries(written).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, checked[name] ?? value]));
}

function recordedDefaults({ fields }: Definition, defaults: Values): Values {
  const entries = Object.entries(defaults).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, field ? recordedForm(name, field, value) : value];
    }),
  );
}
