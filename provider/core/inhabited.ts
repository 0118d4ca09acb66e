type Named = Readonly<Record<string, unknown>>;

/** What must be empty before a delete, as the delete would take other records along. */
export interface Inhabited {
  /** The collections that the record of these values holds; undefined where that is not known. */
  by(values: Named): readonly string[] | undefined;
  /** Collections that only OpenBao has. Where it does not know them, they hold nothing. */
  onOpenBao?(values: Named): readonly string[];
  /** All that these two can answer, as a policy names it. */
  readonly within: string;
  /** A record in no collection that the record of these values may hold, and that no request deletes alone. */
  readonly alone: { readonly token: string; readonly path: string; by(values: Named): boolean };
  /** A collection of records elsewhere that are bound to it. */
  readonly bound?: {
    readonly path: string;
    /** Their names, as far as they are bound to the record of these values. */
    of(collection: unknown, values: Named): readonly string[];
    /** What one is. */
    readonly noun: string;
  };
  /** The property that says: delete it all the same. */
  readonly unless: string;
}
