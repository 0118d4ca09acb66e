import { clusterDifferences } from "./cluster-differences.ts";
import type { Difference } from "./difference.ts";
import { policyDifferences } from "./policy-differences.ts";
import { secretsDifferences } from "./secrets-differences.ts";

/** One that is not needed any more fails the replay. */
export const differences: readonly Difference[] = [...secretsDifferences, ...clusterDifferences, ...policyDifferences];
