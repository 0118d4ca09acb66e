import type { PropertyChange } from "./property-changes";

/** A change as it may be shown. A secret is shown by its fingerprint, where one was taken. */
export interface ShownChange extends PropertyChange {
  readonly isSecret?: true;
  /** Of a set, the records that have the same change. The path is that of the first one, or of the defaults. */
  readonly records?: readonly string[];
  /** Of a set, a whole record that is removed. */
  readonly isRemoved?: true;
}
