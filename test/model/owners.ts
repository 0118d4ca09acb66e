import { isDeepStrictEqual } from "node:util";
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

/** What the server has of a resource with these arguments: one record, or those of a set. */
export function recordsIn(kind: Kind, args: Args): readonly (readonly [Kind, Args])[] {
  const { members } = kind;
  return members ? members.of(args).map((one) => [kinds[members.kind], one]) : [[kind, args]];
}

export function placesIn(kind: Kind, args: Args, records: Records): readonly string[] {
  return recordsIn(kind, args).flatMap(([one, own]) => one.path(own, records) ?? []);
}

/** Where the server keeps the records of an entry of the state. */
export function placesOf(entry: Entry, records: Records): readonly string[] {
  return placesIn(kindOf(entry), openedAll(entry.outputs), records);
}

/** Storage paths that a run with this program and this state may write. */
export function ownPlaces(program: Program, entries: readonly Entry[], records: Records): ReadonlySet<string> {
  const all = (kind: Kind, args: Args) => [...placesIn(kind, args, records), ...(kind.moves?.(args) ?? [])];
  const declared = program.declarations.flatMap((one) => all(kinds[one.kind], program.argsOf(one)));
  const recorded = entries.flatMap((entry) => all(kindOf(entry), openedAll(entry.outputs)));
  return new Set([...declared, ...recorded]);
}

/** Storage paths of what lives in a mount. */
export function livesIn(place: string, path: string): boolean {
  const inside = insideOf(place);
  return inside !== undefined && path.startsWith(inside);
}

function insideOf(place: string): string | undefined {
  if (place.startsWith("sys/mounts/")) return place.replace("sys/mounts/", "");
  return place.startsWith("sys/auth/") ? place.replace("sys/", "") : undefined;
}

/** Where a record is that the server has moved as it was: a mount, or what went with it; undefined for one that was not. */
export function movedPath(path: string, from: Records, to: Records): string | undefined {
  const isMount = insideOf(path) !== undefined;
  const mount = isMount ? path : Object.keys(from).find((place) => livesIn(place, path));
  const inside = mount && insideOf(mount);
  if (mount === undefined || inside === undefined || to[mount] !== undefined) return undefined;
  const made = Object.keys(to).filter((place) => from[place] === undefined && insideOf(place) !== undefined);
  const moved = isMount ? made : made.map((place) => path.replace(inside, insideOf(place) ?? ""));
  return moved.find((place) => isDeepStrictEqual(to[place], from[path]));
}

/** Paths whose records differ. */
export function changedPlaces(before: Records, after: Records): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]));
}
