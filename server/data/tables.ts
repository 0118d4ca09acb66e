/**
 * The records of one kind, by key, in the order in which they came. A record is JSON (with numbers as text where the wire has
 * them) and is never changed in place: who changes one sets it again. Built-in maps are such tables.
 */
export interface Table<T> {
  get(key: string): T | undefined;
  has(key: string): boolean;
  set(key: string, record: T): unknown;
  delete(key: string): boolean;
  clear(): void;
  keys(): Iterable<string>;
  values(): Iterable<T>;
  entries(): Iterable<[string, T]>;
}

/** All tables of the server, in memory or in a file. */
export interface Tables {
  /** The table of this name, with its records. Each is opened once. */
  open<T>(name: string): Table<T>;
  /** Commits all writes of the work together before this resolves, also when the work fails. */
  transaction<T>(work: () => T | Promise<T>): T | Promise<T>;
  close(): void;
}

/** Tables that end with the server. */
export function createMemoryTables(): Tables {
  return { open: () => new Map(), transaction: (work) => work(), close: () => undefined };
}

/** A record that the first start makes and later starts read. */
export function madeOnce<T>(table: Table<T>, key: string, make: () => T): T {
  const known = table.get(key);
  if (known !== undefined) return known;
  const made = make();
  table.set(key, made);
  return made;
}

/** The given value, else that of the last start, else the fallback. It is kept. */
export function lastGiven<T>(
  table: Table<T>,
  key: string,
  { given, fallback }: { readonly given: T | undefined; readonly fallback: T },
): T {
  const value = given ?? table.get(key) ?? fallback;
  table.set(key, value);
  return value;
}
