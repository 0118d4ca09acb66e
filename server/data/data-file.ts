import { AsyncLocalStorage } from "node:async_hooks";
import { chmodSync, closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { DataFailure, foreignFailure, newerFailure, openingFailure, writingFailure } from "./data-failure";
import { loadSqlite } from "./load-sqlite";
import { recordFromText, textFromRecord } from "./record-text";
import type { Table, Tables } from "./tables";

/** The layout of the records; a file with a higher one is refused. */
const format = 1;
/** "TrPl": tells our files from other SQLite databases (https://www.sqlite.org/pragma.html#pragma_application_id). */
const applicationId = 0x54_72_50_6c;

/** The keys that were written, by table. What is stored is what they hold when the change is committed. */
type Changes = Map<string, Set<string>>;

interface Transaction {
  readonly changes: Changes;
  isOpen: boolean;
}

/**
 * Opens tables that are kept in a file: a SQLite database, whose write-ahead log is the append-only log and whose checkpoints
 * are the snapshots. What was committed outlives the process, however it ends, but not always a power failure: the last
 * moments may be missing then, as nothing waits for the disk. Reads never touch the file.
 * @throws DataFailure when the file cannot be used, or another process uses it.
 */
export function openDataFile(file: string): Tables {
  const database = openDatabase(file);
  const records = readRecords(database, file);
  const upsert = database.prepare(
    "insert into record (collection, key, value) values (?, ?, ?) on conflict do update set value = excluded.value",
  );
  const remove = database.prepare("delete from record where collection = ? and key = ?");
  const running = new AsyncLocalStorage<Transaction>();
  const unwritten: Changes = new Map();

  function commit(changes: Changes): void {
    for (const [collection, keys] of changes) for (const key of keys) addChange(unwritten, collection, key);
    // A request that outlives the server changes nothing: nobody gets its answer.
    if (unwritten.size === 0 || !database.isOpen) return;
    try {
      database.exec("begin");
      for (const [collection, keys] of unwritten) for (const key of keys) store(collection, key);
      database.exec("commit");
    } catch (error) {
      if (database.isTransaction) database.exec("rollback");
      throw writingFailure(file, error);
    }
    unwritten.clear();
  }

  function store(collection: string, key: string): void {
    const table = recordsOf(records, collection);
    const name = JSON.stringify(key);
    if (table.has(key)) upsert.run(collection, name, textFromRecord(table.get(key)));
    else remove.run(collection, name);
  }

  function changed(collection: string, key: string): void {
    const transaction = running.getStore();
    // What a request leaves behind to be done later still runs in its context.
    if (transaction?.isOpen) addChange(transaction.changes, collection, key);
    else commitInBackground(() => commit(new Map([[collection, new Set([key])]])));
  }

  return {
    // A collection holds what was put there under this name, which is of this type.
    open: <T>(name: string) => keptTable(recordsOf(records, name) as Map<string, T>, (key) => changed(name, key)),
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

/** Nobody waits for it: whoever runs the server is told, and the next commit tries again. */
function commitInBackground(commit: () => void): void {
  try {
    commit();
  } catch (error) {
    if (!(error instanceof DataFailure)) throw error;
    console.error(`trustplane: ${error.message}`);
  }
}

function addChange(changes: Changes, collection: string, key: string): void {
  const keys = changes.get(collection);
  if (keys === undefined) changes.set(collection, new Set([key]));
  else keys.add(key);
}

function keptTable<T>(records: Map<string, T>, changed: (key: string) => void): Table<T> {
  return {
    get: (key) => records.get(key),
    has: (key) => records.has(key),
    keys: () => records.keys(),
    values: () => records.values(),
    entries: () => records.entries(),
    set: (key, record) => {
      records.set(key, record);
      changed(key);
    },
    delete: (key) => {
      const isDeleted = records.delete(key);
      if (isDeleted) changed(key);
      return isDeleted;
    },
    clear: () => {
      const keys = [...records.keys()];
      records.clear();
      for (const key of keys) changed(key);
    },
  };
}

function openDatabase(file: string): DatabaseSync {
  createPrivately(file);
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    // Absolute, as SQLite takes some other names (`:memory:`, `file:…`) for more than a path.
    database = new DatabaseSync(resolve(file));
    // Held until the process ends, however it does.
    database.exec("pragma locking_mode = exclusive");
    database.exec("begin exclusive");
    claim(database, file);
    database.exec("commit");
    database.exec("pragma journal_mode = wal");
    database.exec("pragma synchronous = normal");
    chmodSync(file, 0o600);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof DataFailure ? error : openingFailure(file, error);
  }
}

/** Its own from its first moment; SQLite gives the files beside it the same mode. */
function createPrivately(file: string): void {
  try {
    // An existing file must not be opened and closed here: that would end the locks that this process has on it.
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw openingFailure(file, error);
  }
}

/** Makes an empty database ours. @throws DataFailure for one that is somebody else's, or too new. */
function claim(database: DatabaseSync, file: string): void {
  const number = (query: string) => Number(Object.values(database.prepare(query).get() ?? {})[0]);
  const [owner, found] = [number("pragma application_id"), number("pragma user_version")];
  if (owner === applicationId) {
    if (found > format) throw newerFailure(file, { found, known: format });
    return;
  }
  if (owner !== 0 || number("select count(*) from sqlite_schema") > 0) throw foreignFailure(file);
  // Rows keep the order in which they came.
  database.exec(
    "create table record (collection text not null, key text not null, value text not null, primary key (collection, key))",
  );
  database.exec(`pragma application_id = ${applicationId}`);
  database.exec(`pragma user_version = ${format}`);
}

function readRecords(database: DatabaseSync, file: string): Map<string, Map<string, unknown>> {
  const records = new Map<string, Map<string, unknown>>();
  try {
    for (const row of database.prepare("select collection, key, value from record order by rowid").iterate()) {
      // Keys are JSON too: SQLite's text has no room for all that JavaScript's has.
      const key: unknown = JSON.parse(String(row["key"]));
      recordsOf(records, String(row["collection"])).set(String(key), recordFromText(String(row["value"])));
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
