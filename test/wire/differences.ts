import { clusterDifferences } from "./cluster-differences.ts";
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
export const differences: readonly Difference[] = [
  ...["set the limit", "read a role beyond the limit", "write a role beyond the limit"].map((step) => ({
    server: "vault-1.21" as const,
    scenario: "secrets-sys-quota",
    step,
    reason: "the embedded server has no quotas: a fault script answers 429 where a test wants it",
  })),
  ...clusterDifferences,
];
