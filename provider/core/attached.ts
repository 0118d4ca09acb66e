/** Values by public name, or members by their name on the wire. */
type Named = Readonly<Record<string, unknown>>;

/**
 * A part of the record that has requests of its own. Reads of the record show it, and writes of the record leave it as it
 * is: what differs after such a write is sent then.
 */
export interface Attached<Key extends string = string> {
  readonly property: Key;
  /**
   * The place to which it is bound as the server knows it, not by its path: it goes with a mount that moves, and is lost with
   * one that is made anew.
   */
  boundTo(values: Named): string | undefined;
  /** Its name there. */
  named(values: Named): string | undefined;
  /** What a write of it needs to know of another record. It is asked before anything is written. */
  readonly needs: {
    /** A collection. */
    readonly path: string;
    /** For whoever reads a policy that allows it. */
    readonly why: string;
    find(collection: unknown, values: Named): Named | undefined;
    /** What is wrong where it is not there. */
    missing(values: Named): string;
  };
  /** A collection of all such parts, by which a preview sees that another record has this one. */
  readonly taken: {
    readonly path: string;
    /** The id of the record that has it; undefined where none does, or where that is the record of these values. */
    by(collection: unknown, values: Named, found: Named): string | undefined;
    /** What such a record is. */
    readonly noun: string;
  };
  /** A POST. Its members come from the record as it is, with the program's value of the property, and from what was found. */
  readonly write: { readonly path: string; members(values: Named, found: Named): Named };
  /** A DELETE, for a program that does not set the property. */
  readonly remove: { readonly path: string };
}
