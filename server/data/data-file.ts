import { AsyncLocalStorage } from "node:async_hooks";
import type { DatabaseSync } from "node:sqlite";
import { DataFailure, openingFailure, writingFailure } from "./data-failure";
import { openDatabase } from "./open-database";
import { shapeProblem } from "./record-shapes";
import { recordFromText, textFromRecord } from "./record-text";
import type { Table, Tables } from "./tables";

/** The keys that were written, by table. A commit stores the records that they have by then. */
type Changes = Map<string, Map<string, Change>>;

interface Change {
  /** The key's row in the file is dropped first: its record, if it has one by then, is stored after all others. */
  readonly dropsRow: boolean;
}

interface Transaction {
  readonly changes: Changes;
  isOpen: boolean;
}

/**
 * Opens tables that are kept in a file: a SQLite database, whose write-ahead log is the append-only log and whose checkpoints
 * are the snapshots. Committed records survive every end of the process. A power failure may lose the last moments, because
 * a commit does not wait for the disk. Reads never touch the file.
 * `problemOf` says what is wrong with a record, which somebody may have edited in the file.
 * @throws DataFailure when the file cannot be used, or another process uses it.
 */
export function openDataFile(file: string, problemOf: typeof shapeProblem = shapeProblem): Tables {
  const database = openDatabase(file);
  const records = readRecords(database, file, problemOf);
  const upsert = database.prepare(
    "insert into record (collection, key, value) values (?, ?, ?) on conflict do update set value = excluded.value",
  );
  const remove = database.prepare("delete from record where collection = ? and key = ?");
  const running = new AsyncLocalStorage<Transaction>();
  const unwritten: Changes = new Map();

  function commit(changes: Changes): void {
    for (const [collection, keys] of changes) for (const change of keys) addChange(unwritten, collection, change);
    // A request that is still running when the server closes changes nothing: nobody gets its answer.
    if (unwritten.size === 0 || !database.isOpen) return;
    try {
      database.exec("begin");
      for (const [collection, keys] of unwritten) for (const change of keys) store(collection, change);
      database.exec("commit");
    } catch (error) {
      if (database.isTransaction) database.exec("rollback");
      throw writingFailure(file, error);
    }
    unwritten.clear();
  }

  function store(collection: string, [key, { dropsRow }]: [string, Change]): void {
    const table = recordsOf(records, collection);
    const name = JSON.stringify(key);
    if (dropsRow) remove.run(collection, name);
    if (table.has(key)) upsert.run(collection, name, textFromRecord(table.get(key)));
  }

  function changed(collection: string, change: [string, Change]): void {
    const transaction = running.getStore();
    // Work that a request started may still run, in its context, after its transaction was closed.
    if (transaction?.isOpen) addChange(transaction.changes, collection, change);
    else commitInBackground(() => commit(new Map([[collection, new Map([change])]])));
  }

  return {
    // All records of this name were put there with this type.
    open: <T>(name: string) =>
      keptTable(recordsOf(records, name) as Map<string, T>, (key, change) => changed(name, [key, change])),
    async transaction(work) {
      if (running.getStore()?.isOpen) return work();
      const transaction: Transaction = { changes: new Map(), isOpen: true };
      try {
        return await running.run(transaction, work);
      } finally {
        transaction.isOpen = false;
        commit(transaction.changes);
      }
    },
    close: () => {
      commitInBackground(() => commit(new Map()));
      if (database.isOpen) database.close();
    },
  };
}

/** No request waits for this commit. A failure goes to stderr, and the next commit tries again. */
function commitInBackground(commit: () => void): void {
  try {
    commit();
  } catch (error) {
    if (!(error instanceof DataFailure)) throw error;
    console.error(`trustplane: ${error.message}`);
  }
}

function addChange(changes: Changes, collection: string, [key, { dropsRow }]: [string, Change]): void {
  const keys = changes.get(collection) ?? new Map<string, Change>();
  changes.set(collection, keys);
  const droppedBefore = keys.get(key)?.dropsRow ?? false;
  if (dropsRow) keys.delete(key);
  keys.set(key, { dropsRow: dropsRow || droppedBefore });
}

function keptTable<T>(records: Map<string, T>, changed: (key: string, change: Change) => void): Table<T> {
  return {
    get: (key) => records.get(key),
    has: (key) => records.has(key),
    keys: () => records.keys(),
    values: () => records.values(),
    entries: () => records.entries(),
    set: (key, record) => {
      const dropsRow = !records.has(key);
      records.set(key, record);
      changed(key, { dropsRow });
    },
    delete: (key) => {
      const isDeleted = records.delete(key);
      if (isDeleted) changed(key, { dropsRow: true });
      return isDeleted;
    },
    clear: () => {
      const keys = [...records.keys()];
      records.clear();
      for (const key of keys) changed(key, { dropsRow: true });
    },
  };
}

function readRecords(
  database: DatabaseSync,
  file: string,
  problemOf: typeof shapeProblem,
): Map<string, Map<string, unknown>> {
  const records = new Map<string, Map<string, unknown>>();
  try {
    for (const row of database.prepare("select collection, key, value from record order by rowid").iterate()) {
      // Keys are stored as JSON too, because SQLite cannot store every JavaScript string as it is.
      const key: unknown = JSON.parse(String(row["key"]));
      const [collection, record] = [String(row["collection"]), recordFromText(String(row["value"]))];
      const problem = typeof key === "string" ? problemOf(collection, record) : "a record has a key that is no text";
      if (problem !== undefined) throw new Error(problem);
      recordsOf(records, collection).set(String(key), record);
    }
    return records;
  } catch (error) {
    database.close();
    throw openingFailure(file, error);
  }
}

function recordsOf(records: Map<string, Map<string, unknown>>, collection: string): Map<string, unknown> {
  const known = records.get(collection);
  if (known !== undefined) return known;
  const empty = new Map<string, unknown>();
  records.set(collection, empty);
  return empty;
}
