import type { ServerName } from "./scenario.mts";

/** An answer of the embedded server that stays another one than the real server's. */
export interface Difference {
  readonly server: ServerName;
  /** Service and topic, as the file of the recordings is named. */
  readonly scenario: string;
  readonly step: string;
  readonly reason: string;
}

/** One that is not needed any more fails the replay. */
export const differences: readonly Difference[] = [];
