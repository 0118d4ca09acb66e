/** A record that is written, and not yet what it should be. */
export interface Pending {
  /** What it is, in the server's word. */
  readonly state: string;
  /** What it should become. */
  readonly wanted: string;
  /** What a user can do when it stays so, if anything. */
  readonly todo?: string;
}

/** Where a record is in its life, while it is not simply there. */
export type Stage =
  /** The server is still at work on it: a write waits for it. */
  | ({ readonly is: "pending" } & Pending)
  /** It is of no use any more. A new one of its name can only be made after it is deleted. */
  | { readonly is: "ended" }
  /** It is being deleted, and reads as gone. Where that is stuck, it has to be deleted once more. */
  | { readonly is: "leaving"; readonly isStuck: boolean };
