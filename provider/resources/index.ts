import type { Definition } from "../core/definition";
import { cloudLeaseConfig } from "./cloud/lease-config";
import { cloudRole } from "./cloud/role";
import { cloudRootConfig } from "./cloud/root-config";
import { cloudRootRotation } from "./cloud/root-rotation";
import { cloudStaticRole } from "./cloud/static-role";
import { clusterPeeredClusters } from "./cluster/peered-clusters";
import { clusterPeering } from "./cluster/peering";
import { clusterPeeringToken } from "./cluster/peering-token";
import { jwtConfig } from "./jwt/config";
import { jwtRole } from "./jwt/role";
import { policyParameter } from "./policy/parameter";
import { sysAuthMount } from "./sys/auth-mount";
import { sysSecretsMount } from "./sys/secrets-mount";

/** Every resource, one line each, by the name of its definition. */
export const definitions = {
  cloudLeaseConfig,
  cloudRole,
  cloudRootConfig,
  cloudRootRotation,
  cloudStaticRole,
  clusterPeeredClusters,
  clusterPeering,
  clusterPeeringToken,
  jwtConfig,
  jwtRole,
  policyParameter,
  sysAuthMount,
  sysSecretsMount,
} satisfies Record<string, Definition>;
