import { same } from "../../../provider/core/field";
import { wordsFor } from "../../stack/attribute-words";
import { isWithin, withoutPaths } from "../../stack/property-paths";
import type { Differing } from "../drift/compare-record";
import type { IdleEntry, IgnoredBecause } from "../drift/report";
import { type Ignore as Entry, isCurrent, isMeant, type Named, readExceptions } from "./exceptions-file";

/** The entries of an ignore file. The list remembers which of them hid something. */
export interface IgnoreList {
  /** Why the whole resource does not count. */
  whole(named: Named): IgnoredBecause | undefined;
  /**
   * Why a property does not count. Where entries name only parts of it, `differsWithout` tells whether the rest differs.
   */
  part(
    named: Named,
    property: string,
    differsWithout: (paths: readonly string[]) => boolean,
  ): IgnoredBecause | undefined;
  /** Entries that hid nothing, once everything was compared. */
  idle(): readonly IdleEntry[];
}

/** Reads an ignore file; `today` is a day such as `2026-01-31`. Throws one error that names all problems of the file. */
export function readIgnoreFile(path: string, today: string): IgnoreList {
  return ignoreList(readExceptions(path).ignore, today);
}

export function ignoreList(entries: readonly Entry[], today: string): IgnoreList {
  const current = entries.filter((entry) => isCurrent(entry, today));
  const used = new Set<Entry>();
  const use = (entry: Entry | undefined) => {
    if (entry === undefined) return undefined;
    used.add(entry);
    return { reason: entry.reason, expires: entry.expires };
  };
  const of = (named: Named) => current.filter((entry) => isMeant(entry.resource, named));
  return {
    whole: (named) => use(of(named).find(({ property }) => property === undefined)),
    part(named, property, differsWithout) {
      const { ownPath } = wordsFor(named.urn ?? "");
      const entries = of(named).map((entry) => ({ entry, path: entry.property && ownPath(entry.property) }));
      const whole = entries.find(({ path }) => path === undefined || isWithin(property, path));
      if (whole) return use(whole.entry);
      const inside = entries.filter(({ path }) => isWithin(path ?? "", property));
      const paths = inside.map(({ path }) => path ?? "");
      if (inside.length === 0 || differsWithout(paths)) return undefined;
      return inside.map(({ entry }) => use(entry))[0];
    },
    idle() {
      const left = entries.filter((entry) => !used.has(entry));
      return left.map((entry) => {
        const { resource, property, reason, expires } = entry;
        const why = current.includes(entry) ? "unused" : "expired";
        return { resource, ...(property === undefined ? {} : { property }), reason, expires, why };
      });
    },
  };
}

/** A property that differs, where it stands, and whose it is. */
export interface IgnorableDifference extends Differing {
  readonly about: Named;
  /** The property, or its path in a set. */
  readonly place: string;
}

/** Why a difference does not count: an entry of the file says so, or the program. */
export function ignoredBecause(
  { about, place, field, expected, actual }: IgnorableDifference,
  ignores: IgnoreList,
  ignoreChanges: readonly string[],
): IgnoredBecause | undefined {
  const differsWithout = (paths: readonly string[]) =>
    field === undefined || !same(field, withoutPaths(expected, paths, place), withoutPaths(actual, paths, place));
  const byFile = ignores.part(about, place, differsWithout);
  if (byFile) return byFile;
  const inside = ignoreChanges.filter((path) => isWithin(path, place));
  const isIgnored =
    ignoreChanges.some((path) => isWithin(place, path)) || (inside.length > 0 && !differsWithout(inside));
  return isIgnored ? { reason: "the program ignores changes of it (ignoreChanges)" } : undefined;
}
