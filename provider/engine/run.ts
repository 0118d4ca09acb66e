import type { Values } from "../core/definition";
import type { Failure } from "../core/errors";
import type { ShownMount } from "../dialects/dialect";
import { ALONE, createNotes, type Journal, type JournalEntry, type Notes, type Sight, saidIn } from "./journal";

/** What one run of the CLI knows of the program's records. */
export interface Run {
  /** Another run begins: what the one before it has written may be deleted again. */
  start(): void;
  /** By record: who has written it, or that a resource of the program has it unchanged. */
  readonly records: Map<string, Noted>;
  /** By record, the resource of the program that was the first to want it. */
  readonly declared: Map<string, Declaration>;
  /** By record, a delete that goes on. */
  readonly deletes: Map<string, Promise<void>>;
  /** By place and name, what this run has left of a record that it has written or deleted. */
  readonly leaves: Map<string, Leaves>;
  /** By server and list, what is mounted, as this run has read it. */
  readonly mounts: Map<string, Promise<ShownMounts>>;
  /** By place, the type of a mount that the program has. */
  readonly wantedMounts: Map<string, string>;
  /** By record, and by place of a mount: throws where what is to be made in its stead cannot be made. */
  readonly replacements: Map<string, (limits: { readonly signal?: AbortSignal | undefined }) => Promise<void>>;
  /** By place of a mount, the id of a key that the server has made and nobody else has; empty where only that is known. */
  readonly ownKeys: Map<string, string>;
  /** How many records were looked at ahead of their creation, or change, and when something was last said of any record. */
  readonly looks: { ahead: number; changed: number; saidAt: number };
  /** By list, how many records that would be in it were looked at ahead, and what it shows once there are more of them. */
  readonly lists: Map<string, { asked: number; shown?: Promise<Shown | undefined> }>;
  /** What was warned of mounts. */
  readonly warned: Set<string>;
  /** What else resources of this run, and those of the preview before it, have said of records. */
  readonly said: Said;
  readonly journal: Journal;
  sight(): Sight;
}

/** What a list shows of a record; undefined where only that there is one. */
interface Shown {
  show(values: Values): { readonly record: unknown } | undefined;
}

interface Noted {
  /** The operation that did. */
  readonly by?: object;
  /** The name that the program gives its resource, where the host is told. */
  readonly name?: string | undefined;
  /** A resource of the program has the record, and this run does not change it. */
  readonly isUnchanged: boolean;
  /** What the state of that resource has. */
  readonly state?: Values;
}

/** Of a record that was blanked, nothing that counts: it is still there. */
export type Leaves = "record" | "nothing" | "blank";

/** Which resource of the program it is, as far as the host is told. */
export interface Declarer {
  /** The same however often the resource is checked, and of no other one. */
  readonly by?: string | undefined;
  /** The name that the program gives it. */
  readonly name?: string | undefined;
  /** What is said of a property of it, without what the program alone calls secret. */
  readonly shown?: (said: Failure) => Failure;
}

/** A resource of the program that wants a record. */
export interface Declaration extends Declarer {
  /** What the state has for it. */
  readonly had: "nothing" | "another" | "this";
  /** Of what is bound to something else, such as an alias, the record that it is a part of. */
  readonly of?: string | undefined;
  /** What came of its comparison since. */
  compared?: "same" | "differs";
}

interface Said {
  note(entry: JournalEntry, keys: readonly string[]): void;
  /** Whether it was said of any of these records. */
  has(entry: JournalEntry, keys: readonly string[]): boolean;
  /** Whether the preview before this run said it, or another process. */
  hadBefore(entry: JournalEntry, keys: readonly string[]): boolean;
  /** All that was said of them. */
  of(keys: readonly string[]): readonly JournalEntry[];
  /** What was said last behind such a word in this run, by this process or else by another one. */
  last(word: "stands" | "moves" | "moved" | "rotated", keys: readonly string[]): string | undefined;
}

/** Of a list of mounts: what it shows, or why it cannot be read. */
export type ShownMounts = readonly ShownMount[] | { readonly unknown: string };

export function createRun(journal: Journal = ALONE): Run {
  const [records, deletes] = [new Map<string, Noted>(), new Map<string, Promise<void>>()];
  const [declared, leaves] = [new Map<string, Declaration>(), new Map<string, Leaves>()];
  const [mounts, wantedMounts] = [new Map<string, Promise<ShownMounts>>(), new Map<string, string>()];
  const looks = { ahead: 0, changed: 0, saidAt: 0 };
  const lists: Run["lists"] = new Map();
  const [warned, ownKeys] = [new Set<string>(), new Map<string, string>()];
  const replacements: Run["replacements"] = new Map();
  let own: Notes | undefined;
  /** A run of this very process that wrote nothing is the preview of the next one. */
  let preview: Notes | undefined;
  const before = (keys: readonly string[]) => [...(preview?.of(keys) ?? []), ...journal.told(keys)];
  const now = (keys: readonly string[]) => own?.of(keys) ?? [];
  return {
    start() {
      for (const known of [declared, leaves, mounts, wantedMounts, replacements, ownKeys, warned, lists]) known.clear();
      Object.assign(looks, { ahead: 0, changed: 0 });
      if (own === undefined && records.size === 0) return;
      preview = [...records.values()].some(({ by }) => by !== undefined) ? undefined : (own ?? createNotes());
      own = undefined;
      for (const known of [records, deletes]) known.clear();
    },
    records,
    declared,
    deletes,
    leaves,
    mounts,
    wantedMounts,
    replacements,
    ownKeys,
    looks,
    lists,
    warned,
    said: {
      note(entry, keys) {
        own ??= createNotes();
        looks.saidAt = Date.now();
        own.note(entry, keys);
        journal.note(entry, keys);
      },
      has: (entry, keys) => now(keys).includes(entry) || before(keys).includes(entry),
      hadBefore: (entry, keys) => before(keys).includes(entry),
      of: (keys) => [...before(keys), ...now(keys)],
      last: (word, keys) => saidIn(now(keys), word).at(-1) ?? saidIn([...journal.told(keys)], word).at(-1),
    },
    journal,
    sight: () => (preview === undefined ? journal.sight() : "whole"),
  };
}
