import { chmodSync, closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { DataFailure, foreignFailure, newerFailure, openingFailure } from "./data-failure";
import { loadSqlite } from "./load-sqlite";

/** The layout of the records; a file with a higher one is refused. */
const format = 1;
/** "TrPl": tells our files from other SQLite databases (https://www.sqlite.org/pragma.html#pragma_application_id). */
const applicationId = 0x54_72_50_6c;

/**
 * Opens a data file, or makes it, for this process alone.
 * @throws DataFailure
 */
export function openDatabase(file: string): DatabaseSync {
  createPrivately(file);
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    // An absolute path, because SQLite gives names such as `:memory:` and `file:…` a meaning of their own.
    database = new DatabaseSync(resolve(file));
    // The lock is held until the process ends, by `kill -9` too.
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

/** Only the user may read the file, from its first moment. SQLite gives the files beside it the same mode. */
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
