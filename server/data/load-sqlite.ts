type Sqlite = typeof import("node:sqlite");

/**
 * Node's own SQLite, loaded when it is needed. Node 22 warns on stderr that it is experimental: the module's API may change
 * with a new Node, and of that the few calls here are tested on 22 and 24. The format of the file is SQLite's, which is stable.
 * So the user, who can do nothing about it, is not told; all other warnings pass.
 */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process;
  // The overloads of emitWarning differ in what follows the text.
  process.emitWarning = (...given: unknown[]) => {
    if (!String(given[0]).startsWith("SQLite is an experimental feature")) Reflect.apply(emitWarning, process, given);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
