/**
 * What a process takes note of: a resource of the program `wants` a record; it `has` it, unchanged, or `held` it
 * and is changed; an operation `wrote` it;
 * a delete has begun (`deleting`) or ended (`deleted`); a plan `clears` it, as an exclusive set does not name it; a resource
 * of this kind and name has a place that is not known yet (`unplaced`); a resource, which had something of the state before,
 * was the first to want it (`declares`); a mount is to go to another path (`moves`), or to be made anew (`remakes`); a record was
 * forgotten or blanked and is still `left`; the mount with this mark `stands` at a path; what was below a
 * path was `moved` to another one, which is veiled.
 */
export type Deed =
  | "wants"
  | "has"
  | "held"
  | "wrote"
  | "deleting"
  | "deleted"
  | "clears"
  | "unplaced"
  | "moves"
  | "remakes"
  | "left"
  | `declares:${string}`
  | `stands:${string}`
  | `moved:${string}`;

/** What only its own run can rely on: that a resource stays as it is, and what becomes of a mount. Pulumi can have many runs. */
export function isOfOneRun(deed: Deed): boolean {
  return ["has", "declares", "moves", "remakes", "left", "stands", "moved"].includes(deed.split(":")[0] ?? "");
}

/** How much of the program has been seen before this run: all of it by a preview, a part of it as with `--target`, or nothing. */
export type Sight = "whole" | "part" | "none";

/** What the processes of one command of the CLI tell each other of the program's records. */
export interface Journal {
  note(deed: Deed, keys: readonly string[]): void;
  /** What other processes have noted of any of these records. A delete is told while it goes on. */
  told(keys: readonly string[]): ReadonlySet<Deed>;
  sight(): Sight;
}

/** That of a process that is alone. */
export const ALONE: Journal = { note: () => {}, told: () => new Set(), sight: () => "none" };

/** What was said last of these records with the deed, in other processes. */
export function lastTold(journal: Journal, deed: "stands" | "moved", keys: readonly string[]): string | undefined {
  return [...journal.told(keys)].findLast((told) => told.startsWith(`${deed}:`))?.slice(deed.length + 1);
}
