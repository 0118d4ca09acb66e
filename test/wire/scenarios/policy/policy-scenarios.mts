import type { Scenario } from "../../scenario.mts";
import { policyParameters } from "./parameters.mts";
import { policyRefused } from "./refused.mts";
import { policySets } from "./sets.mts";

export const policyScenarios: readonly Scenario[] = [policyParameters, policyRefused, policySets];
