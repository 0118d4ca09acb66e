import type { Scenario } from "../../scenario.mts";
import { sysAuth } from "./sys-auth.mts";
import { sysMounts } from "./sys-mounts.mts";
import { sysQuota } from "./sys-quota.mts";
import { sysSealed } from "./sys-sealed.mts";
import { sysStatus } from "./sys-status.mts";
import { tokensAndPolicies } from "./tokens-and-policies.mts";
import { transport } from "./transport.mts";

export const secretsScenarios: readonly Scenario[] = [
  sysStatus,
  sysSealed,
  sysMounts,
  sysAuth,
  sysQuota,
  tokensAndPolicies,
  transport,
];
