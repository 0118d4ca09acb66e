// Types alone, as the JSON schemas are made of this file.

/** Where a record is, beside its id. */
export interface RecordPlace {
  /** Name of the connection, where it is not the service's own. */
  readonly connection?: string;
  /** Namespace below the connection's own. */
  readonly namespace?: string;
  /** Partition, where the id does not have it. */
  readonly partition?: string;
}

/** Where the program declares it. */
export interface SourcePosition {
  /** Path from the program's folder. */
  readonly file: string;
  readonly line: number;
}
