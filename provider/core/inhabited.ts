/** What must be empty before a delete, as the delete would take other records along. */
export interface Inhabited {
  /** The collections that the record of these values holds; undefined where that is not known. */
  by(values: Readonly<Record<string, unknown>>): readonly string[] | undefined;
  /** All that `by` can answer, as a policy names it. */
  readonly within: string;
  /** The property that says: delete it all the same. */
  readonly unless: string;
}
