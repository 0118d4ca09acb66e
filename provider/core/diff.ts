import { canonicalText, picked } from "./canonical";
import type { Definition, Members, Values } from "./definition";
import { same } from "./field";
import { DEFAULTS, type Records, recordsIn, sharedBy } from "./members";
import { INCOMPLETE } from "./state-names";
import { hasUnknown, isRecord, UNKNOWN } from "./unknowns";

/** What an update would change, and which of these changes need a new record. */
export interface Difference {
  readonly changed: readonly string[];
  readonly replaces: readonly string[];
  /** Of a set, the records that differ. */
  readonly records?: readonly EditedRecord[];
}

/** A record of a set that the program adds, changes or removes, and what it changes of it. */
export interface EditedRecord extends Difference {
  readonly name: string;
  readonly before: Values | undefined;
  readonly after: Values | undefined;
}

/** Compares what is recorded with what the program says, ignoring what the servers normalise. */
export function diff(definition: Definition, olds: Values, news: Values): Difference {
  const records = editedRecords(definition, olds, news);
  const edited = [...editedProperties(definition, olds, news), ...settingsOf(definition, records, news)];
  const changed = [...new Set([...edited, ...(definition.broken?.(olds) ?? []), ...incomplete(olds)])];
  const fixed = new Set<string>([...definition.identity, ...definition.replaceOn]);
  const conditional = changed.length > 0 ? (definition.replaceWhen?.(olds, news) ?? []) : [];
  const replaces = [...new Set([...changed.filter((name) => fixed.has(name)), ...conditional])];
  return records ? { changed, replaces, records } : { changed, replaces };
}

/**
 * Whether an update writes the record with these values, which may be one of a set. What only `replaceOnChanges` replaces is
 * known by its change, too.
 */
export function isEdited({ members }: Definition, { changed, replaces, records }: Difference, values: Values): boolean {
  if (!members || !records || replaces.length > 0) return changed.length > 0;
  return records.some(({ name }) => name === values[members.name]);
}

/** What the program itself changed, beside the records of a set. */
export function editedProperties({ fields, members }: Definition, olds: Values, news: Values): string[] {
  return Object.entries(fields)
    .filter(([name]) => name !== members?.property && (members === undefined || name !== DEFAULTS))
    .filter(([name, field]) => hasUnknown(news[name]) || !same(field, olds[name], news[name]))
    .map(([name]) => name);
}

/** The records of a set that differ, whatever the defaults and the settings of each have to do with it. */
function editedRecords(definition: Definition, olds: Values, news: Values): EditedRecord[] | undefined {
  const { members } = definition;
  if (!members) return undefined;
  const [befores, afters] = [olds, news].map((values) => recordsIn(definition, members, values)) as [Records, Records];
  const shared = sharedBy(definition, members);
  const areDefaultsSame = canonicalText(olds[DEFAULTS]) === canonicalText(news[DEFAULTS]);
  // Most records of a large set are written as they were.
  const isAsWritten = (name: string, before: Values) =>
    areDefaultsSame &&
    before[INCOMPLETE] !== true &&
    canonicalText(settingIn(olds, members, name)) === canonicalText(settingIn(news, members, name));
  return [...new Set([...befores.keys(), ...afters.keys()])].flatMap((name): EditedRecord[] => {
    const [before, after] = [befores.get(name), afters.get(name)];
    if (before === undefined || after === undefined) return [{ name, before, after, changed: [], replaces: [] }];
    if (isAsWritten(name, before) && !hasUnknown(after)) return [];
    // Another mount or connection is a difference of the set, not of each record.
    const own = Object.entries(before).filter(([key]) => !shared.includes(key));
    const difference = diff(members.of, { ...Object.fromEntries(own), ...picked(after, shared) }, after);
    return difference.changed.length > 0 ? [{ name, before, after, ...difference }] : [];
  });
}

function settingIn(values: Values, { property }: Members, name: string): unknown {
  const records = values[property];
  return isRecord(records) ? records[name] : undefined;
}

/** The property that holds the records, where one of them differs, or where it is not known yet which there are. */
function settingsOf({ members }: Definition, records: readonly EditedRecord[] | undefined, news: Values): string[] {
  if (!members || !records) return [];
  return records.length > 0 || news[members.property] === UNKNOWN ? [members.property] : [];
}

function incomplete(olds: Values): string[] {
  return olds[INCOMPLETE] === true || Array.isArray(olds[INCOMPLETE]) ? [INCOMPLETE] : [];
}
