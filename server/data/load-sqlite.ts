type Sqlite = typeof import("node:sqlite");

/**
 * Node's own SQLite, loaded when it is needed. Node 22 warns on stderr that the module is experimental: a new Node may change
 * its API. The few calls here are tested on Node 22 and 24, and the file format is SQLite's, which is stable. A user can do
 * nothing about this warning, so it is not shown; all other warnings are.
 */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process;
  // The overloads of emitWarning have different parameters after the text.
  process.emitWarning = (...given: unknown[]) => {
    if (!String(given[0]).startsWith("SQLite is an experimental feature")) Reflect.apply(emitWarning, process, given);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
