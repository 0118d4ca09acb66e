import type { Scenario } from "../../scenario.mts";
import { policyParameters } from "./parameters.mts";
import { policyRefused } from "./refused.mts";

export const policyScenarios: readonly Scenario[] = [policyParameters, policyRefused];
