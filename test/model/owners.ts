import type { Entry } from "./entry.ts";
import type { Args, Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { openedAll } from "./marks.ts";
import type { Program } from "./program.ts";
import type { Records } from "./world.ts";

const byResource = new Map<string, Kind>(Object.values<Kind>(kinds).map((kind) => [kind.resource, kind]));

export function kindOf({ resource }: Pick<Entry, "resource">): Kind {
  const kind = byResource.get(resource);
  if (kind === undefined) throw new Error(`the model has no ${resource}`);
  return kind;
}

/** Where the server keeps the record of an entry of the state. */
export function placeOf(entry: Entry, records: Records): string | undefined {
  return kindOf(entry).path(openedAll(entry.outputs), records);
}

/** Storage paths that a run with this program and this state may write. */
export function ownPlaces(program: Program, entries: readonly Entry[], records: Records): ReadonlySet<string> {
  const placesOf = (kind: Kind, args: Args) => [kind.path(args, records), ...(kind.moves?.(args) ?? [])];
  const declared = program.declarations.flatMap((one) => placesOf(kinds[one.kind], program.argsOf(one)));
  const recorded = entries.flatMap((entry) => placesOf(kindOf(entry), openedAll(entry.outputs)));
  return new Set([...declared, ...recorded].filter((path) => path !== undefined));
}

/** Storage paths of what lives in a mount. */
export function livesIn(place: string, path: string): boolean {
  const inside = place.startsWith("sys/mounts/")
    ? place.replace("sys/mounts/", "")
    : place.startsWith("sys/auth/")
      ? place.replace("sys/", "")
      : undefined;
  return inside !== undefined && path.startsWith(inside);
}

/** Paths whose records differ. */
export function changedPlaces(before: Records, after: Records): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]));
}
