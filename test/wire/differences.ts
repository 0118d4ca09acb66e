import { clusterDifferences } from "./cluster-differences.ts";
import type { Difference } from "./difference.ts";
import { openBaoDifferences } from "./openbao-differences.ts";
import { policyDifferences } from "./policy-differences.ts";
import { nameOf, type ServerName } from "./scenario.mts";
import { scenarios } from "./scenarios/index.mts";
import { secretsDifferences } from "./secrets-differences.ts";

/** What the embedded server does not do, it does in no profile: what differs from Vault 1.21 differs from the others too. */
const inOtherProfiles = (["vault-1.19", "openbao"] as const).flatMap((server) =>
  secretsDifferences.filter(({ scenario }) => isOn(scenario, server)).map((each): Difference => ({ ...each, server })),
);

/** One that is not needed any more fails the replay. */
export const differences: readonly Difference[] = [
  ...secretsDifferences,
  ...inOtherProfiles,
  ...openBaoDifferences,
  ...clusterDifferences,
  ...policyDifferences,
];

function isOn(name: string, server: ServerName): boolean {
  return scenarios.some((scenario) => nameOf(scenario) === name && scenario.servers.includes(server));
}
