import type { Scenario } from "../scenario.mts";
import { clusterScenarios } from "./cluster/cluster-scenarios.mts";
import { policyScenarios } from "./policy/policy-scenarios.mts";
import { secretsScenarios } from "./secrets/secrets-scenarios.mts";

/** All scenarios, in the order in which they are recorded. */
export const scenarios: readonly Scenario[] = [...secretsScenarios, ...clusterScenarios, ...policyScenarios];
