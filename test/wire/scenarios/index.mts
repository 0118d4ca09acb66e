import type { Scenario } from "../scenario.mts";
import { sysStatus } from "./secrets/sys-status.mts";

/** All scenarios, in the order in which they are recorded. */
export const scenarios: readonly Scenario[] = [sysStatus];
