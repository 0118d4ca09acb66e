import type { Table } from "../data/tables";
import { compareBytes } from "./go-format";
import { Failure } from "./refusal";

/** The records of one mount, by storage path. What is put is copied, so a caller cannot change a record in place. */
export interface Storage {
  get<T>(path: string): T | undefined;
  put(path: string, record: unknown): void;
  delete(path: string): void;
  /** Names below `prefix`, sorted by bytes; a name that goes on deeper ends in `/`, as Vault's storage lists it. */
  list(prefix: string): string[];
  entries(): Record<string, unknown>;
  /** Removes everything, at the end of the mount. */
  clear(): void;
}

export function createStorage(records: Table<unknown> = new Map()): Storage {
  return {
    // The caller knows the type of what it stored under this path; nobody else writes to a mount's storage.
    get: <T>(path: string) => records.get(storable(path)) as T | undefined,
    put: (path, record) => {
      records.set(storable(path), frozenCopy(record));
    },
    delete: (path) => {
      records.delete(storable(path));
    },
    list: (prefix) => {
      const names = Array.from(records.keys(), (path) => firstStep(path, prefix));
      return [...new Set(names.filter((name) => name !== undefined))].sort(compareBytes);
    },
    entries: () => Object.fromEntries(records.entries()),
    clear: () => records.clear(),
  };
}

// Vault's storage refuses two dots anywhere, also inside a name.
function storable(path: string): string {
  if (path.includes("..")) throw new Failure("relative paths not supported", { status: 400 });
  return path;
}

function firstStep(path: string, prefix: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const [first = "", ...deeper] = path.slice(prefix.length).split("/");
  return deeper.length > 0 ? `${first}/` : first;
}

function frozenCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, frozenCopy(member)])));
}
