import { createHash } from "node:crypto";
import type { Tables } from "../data/tables";
import { compareBytes } from "../framework/go-format";
import type { Entry } from "./config-fields";
import { firstIndex } from "./peering-store";

/** A config entry as it is stored. */
export interface ConfigEntry {
  readonly kind: string;
  readonly name: string;
  /** Its own members, the name among them. */
  readonly members: Entry;
  readonly createIndex: number;
  readonly modifyIndex: number;
}

export interface ConfigEntryStore {
  /** Names are looked up in lower case. */
  find(kind: string, name: string): ConfigEntry | undefined;
  /** Those of a kind, by name. */
  list(kind: string): readonly ConfigEntry[];
  all(): readonly ConfigEntry[];
  /** The index of the newest change, removals included. */
  tableIndex(): number;
  /** What is the same already stays as it is. */
  write(entry: Pick<ConfigEntry, "kind" | "name" | "members">): void;
  remove(kind: string, name: string): void;
}

export function createConfigEntryStore(tables: Tables): ConfigEntryStore {
  const entries = tables.open<ConfigEntry>("cluster/config-entries");
  const indexes = tables.open<number>("cluster/indexes");
  const tableIndex = () => indexes.get("config") ?? firstIndex;

  function nextIndex(): number {
    const next = tableIndex() + 1;
    indexes.set("config", next);
    return next;
  }

  return {
    tableIndex,
    find: (kind, name) => entries.get(keyOf(kind, name)),
    list: (kind) =>
      [...entries.values()].filter((entry) => entry.kind === kind).sort((a, b) => compareBytes(a.name, b.name)),
    all: () => [...entries.values()],
    write({ kind, name, members }) {
      const key = keyOf(kind, name);
      const before = entries.get(key);
      if (before !== undefined && hashOf(before.members) === hashOf(members)) return;
      const modifyIndex = nextIndex();
      entries.set(key, { kind, name, members, createIndex: before?.createIndex ?? modifyIndex, modifyIndex });
    },
    remove(kind, name) {
      if (entries.delete(keyOf(kind, name))) nextIndex();
    },
  };
}

/** An entry as a read shows it. */
export function shownEntry({ kind, members, createIndex, modifyIndex }: ConfigEntry): Entry {
  return { Kind: kind, ...members, Hash: hashOf(members), CreateIndex: createIndex, ModifyIndex: modifyIndex };
}

function keyOf(kind: string, name: string): string {
  return `${kind}/${name.toLowerCase()}`;
}

/** Consul has another algorithm, which nobody can tell. */
function hashOf(members: Entry): number {
  return createHash("sha256").update(JSON.stringify(members)).digest().readUIntBE(0, 6);
}
