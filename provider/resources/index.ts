import type { Definition } from "../core/definition";
import { cloudLeaseConfig } from "./cloud/lease-config";
import { cloudRole } from "./cloud/role";
import { cloudRoleSet } from "./cloud/role-set";
import { cloudRootConfig } from "./cloud/root-config";
import { cloudRootRotation } from "./cloud/root-rotation";
import { cloudStaticRole } from "./cloud/static-role";
import { cloudStaticRoleSet } from "./cloud/static-role-set";
import { clusterExportedServices } from "./cluster/exported-services";
import { clusterIntention } from "./cluster/intention";
import { clusterPeeredClusters } from "./cluster/peered-clusters";
import { clusterPeering } from "./cluster/peering";
import { clusterPeeringToken } from "./cluster/peering-token";
import { identityGroup } from "./identity/group";
import { jwtConfig } from "./jwt/config";
import { jwtRole } from "./jwt/role";
import { jwtRoleSet } from "./jwt/role-set";
import { policyParameter } from "./policy/parameter";
import { policyParameterSet } from "./policy/parameter-set";
import { policyPolicySet } from "./policy/policy-set";
import { sysAuthMount } from "./sys/auth-mount";
import { sysPolicy } from "./sys/policy";
import { sysSecretsMount } from "./sys/secrets-mount";

/** Every resource of one record, or of a pair of them, one line each, by the name of its definition. */
export const singles = {
  cloudLeaseConfig,
  cloudRole,
  cloudRootConfig,
  cloudRootRotation,
  cloudStaticRole,
  clusterExportedServices,
  clusterIntention,
  clusterPeeredClusters,
  clusterPeering,
  clusterPeeringToken,
  identityGroup,
  jwtConfig,
  jwtRole,
  policyParameter,
  policyPolicySet,
  sysAuthMount,
  sysPolicy,
  sysSecretsMount,
} satisfies Record<string, Definition>;

/** Every resource of many records. */
export const sets = {
  cloudRoleSet,
  cloudStaticRoleSet,
  jwtRoleSet,
  policyParameterSet,
} satisfies Record<string, Definition>;

export const definitions = { ...singles, ...sets };
