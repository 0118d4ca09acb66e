import { clusterDifferences } from "./cluster-differences.ts";
import type { Difference } from "./difference.ts";
import { policyDifferences } from "./policy-differences.ts";
import { secretsDifferences } from "./secrets-differences.ts";

/** What the embedded server does not do, it does as no release: what differs from Vault 1.21 differs from 1.19. */
const fromOlderVault = secretsDifferences.map((each): Difference => ({ ...each, server: "vault-1.19" }));

/** One that is not needed any more fails the replay. */
export const differences: readonly Difference[] = [
  ...secretsDifferences,
  ...fromOlderVault,
  ...clusterDifferences,
  ...policyDifferences,
];
