import { compareBytes } from "./go-format";

/** The records of one mount, by storage path. What is put is copied, so a caller cannot change a record in place. */
export interface Storage {
  get<T>(path: string): T | undefined;
  put(path: string, record: unknown): void;
  delete(path: string): void;
  /** Names below `prefix`, sorted by bytes; a name that goes on deeper ends in `/`, as Vault's storage lists it. */
  list(prefix: string): string[];
  entries(): Record<string, unknown>;
}

export function createStorage(): Storage {
  const records = new Map<string, unknown>();
  return {
    // The type is the caller's word for what it stored under this path; nobody else writes to a mount's storage.
    get: <T>(path: string) => records.get(path) as T | undefined,
    put: (path, record) => {
      records.set(path, frozenCopy(record));
    },
    delete: (path) => {
      records.delete(path);
    },
    list: (prefix) => {
      const names = Array.from(records.keys(), (path) => firstStep(path, prefix));
      return [...new Set(names.filter((name) => name !== undefined))].sort(compareBytes);
    },
    entries: () => Object.fromEntries(records),
  };
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
