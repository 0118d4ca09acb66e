import type { Branch } from "./branch.ts";
import { clusterBranches } from "./cluster-branches.ts";
import { policyBranches } from "./policy-branches.ts";
import { secretsBranches } from "./secrets-branches.ts";

/** Every place where the provider branches on the status, the text or the shape of an answer. */
export const branches: readonly Branch[] = [...secretsBranches, ...clusterBranches, ...policyBranches];
