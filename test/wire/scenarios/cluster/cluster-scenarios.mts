import type { Scenario } from "../../scenario.mts";
import { clusterAccess } from "./access.mts";
import { clusterClosed } from "./closed.mts";
import { clusterConfig } from "./config.mts";
import { clusterConfigRefused } from "./config-refused.mts";
import { clusterDeletion } from "./deletion.mts";
import { clusterEstablish } from "./establish.mts";
import { clusterLife } from "./life.mts";
import { clusterLogin } from "./login.mts";
import { clusterOutage } from "./outage.mts";
import { clusterReads } from "./reads.mts";
import { clusterStatus } from "./status.mts";
import { clusterToken } from "./token.mts";

export const clusterScenarios: readonly Scenario[] = [
  clusterStatus,
  clusterReads,
  clusterToken,
  clusterEstablish,
  clusterAccess,
  clusterConfig,
  clusterConfigRefused,
  clusterLogin,
  clusterClosed,
  clusterDeletion,
  clusterLife,
  // It stops a cluster that the others need.
  clusterOutage,
];
