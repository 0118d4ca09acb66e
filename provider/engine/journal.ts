/**
 * What a process takes note of: a resource of the program `wants` a record; it `has` it, unchanged, which a preview
 * tells its update too (`stays`), or `held` it and is changed; an operation `wrote` it;
 * a delete has begun (`deleting`) or ended (`deleted`), and the record is `gone`; a plan `clears` it, as an exclusive set does not name it; a resource
 * of this kind and name has a place that is not known yet (`unplaced`); a resource, which had something of the state before,
 * was the first to want it (`declares`); a plan makes something of it (`plans`), makes it (`makes`) or destroys it (`destroys`); a mount is to go to another path (`moves`), or to be made anew (`remakes`); a record was
 * forgotten or blanked and is still `left`; the mount with this mark `stands` at a path; what was below a
 * path was `moved` to another one, or stays there as that has failed (`unmoved`); a root key was `rotated` to another one; the records that a resource wants in a list are
 * `called` so; a state was written `elsewhere`, on another server, and this record was `found` on this one, or in a mount that
 * another hand has made `anew`. What says a path or a name is veiled.
 */
export type JournalEntry =
  | "wants"
  | "has"
  | "stays"
  | "held"
  | "wrote"
  | "deleting"
  | "deleted"
  | "gone"
  | "clears"
  | "makes"
  | "destroys"
  | "unplaced"
  | "remakes"
  | "unmoved"
  | "left"
  | "found"
  | "anew"
  | `declares:${string}`
  | `plans:${string}`
  | `stands:${string}`
  | `moves:${string}`
  | `moved:${string}`
  | `rotated:${string}`
  | `called:${string}`
  | `elsewhere:${string}`;

/** What only its own run can rely on: that a resource stays as it is, and what becomes of a mount. Pulumi can have many runs. */
export function isOfOneRun(entry: JournalEntry): boolean {
  return [
    "has",
    "declares",
    "moves",
    "remakes",
    "unmoved",
    "left",
    "stands",
    "moved",
    "rotated",
    "gone",
    "elsewhere",
    "anew",
  ].includes(entry.split(":")[0] ?? "");
}

/** What holds only as long as the process that said it runs: in Terraform, those of the plan are gone when the apply begins. */
export function endsWithProcess(entry: JournalEntry): boolean {
  return ["deleting", "declares", "plans"].includes(entry.split(":")[0] ?? "");
}

/** What a plan says to the plans after it, also where its process has ended: OpenTofu asks one `provider` block after another. */
export function endsWithPlan(entry: JournalEntry): boolean {
  return entry === "makes" || entry === "destroys";
}

/**
 * How much of the program has been seen before this run: all of it by a preview, a part of it as with `--target`, or nothing. Of a
 * saved plan only the states are known that it was made of. Where the system does not tell how the CLI was called, any of it may be so.
 */
export type Sight = "whole" | "part" | "saved" | "none" | "unknown";

/** What the processes of one command of the CLI tell each other of the program's records. */
export interface Journal {
  note(entry: JournalEntry, keys: readonly string[]): void;
  /** What other processes have noted of any of these records. A delete is told while it goes on. */
  told(keys: readonly string[]): ReadonlySet<JournalEntry>;
  sight(): Sight;
  /** Whether the command makes a saved plan. Whoever applies it is not told of what part of the program it was made. */
  isPlanSaved(): boolean;
  /** Whether the apply of a plan is told what the plan has noted. */
  reachesApply(): boolean;
  /** Whether the command plans to delete everything: what the program wants is not made. */
  isDestroying(): boolean;
}

/** That of a process that is alone. */
export const ALONE: Journal = {
  note: () => {},
  told: () => new Set(),
  sight: () => "none",
  isPlanSaved: () => false,
  reachesApply: () => false,
  isDestroying: () => false,
};

/** What was noted, by record. */
export interface Notes {
  note(entry: JournalEntry, keys: readonly string[]): void;
  of(keys: readonly string[]): readonly JournalEntry[];
}

export function createNotes(): Notes {
  const all = new Map<string, Set<JournalEntry>>();
  return {
    note(entry, keys) {
      for (const key of keys) {
        const entries = all.get(key) ?? new Set();
        // What was said last is the last.
        entries.delete(entry === "deleted" ? "deleting" : entry);
        if (entry !== "deleted") entries.add(entry);
        all.set(key, entries);
      }
    },
    of: (keys) => keys.flatMap((key) => [...(all.get(key) ?? [])]),
  };
}

/** What these entries say behind such a word. */
export function saidIn(
  entries: readonly JournalEntry[],
  word: "plans" | "stands" | "moves" | "moved" | "rotated" | "called" | "elsewhere",
): readonly string[] {
  return entries.filter((entry) => entry.startsWith(`${word}:`)).map((entry) => entry.slice(word.length + 1));
}
