import type { ResourceCase } from "../../support/contract-case.ts";
import type { ResourceName } from "../../support/contract-host.ts";
import { cloudLeaseConfigCase } from "./cloud-lease-config.ts";
import { cloudRoleCase } from "./cloud-role.ts";
import { cloudRootConfigCase } from "./cloud-root-config.ts";
import { cloudRootRotationCase } from "./cloud-root-rotation.ts";
import { cloudStaticRoleCase } from "./cloud-static-role.ts";
import { clusterPeeredClustersCase } from "./cluster-peered-clusters.ts";
import { clusterPeeringCase } from "./cluster-peering.ts";
import { clusterPeeringTokenCase } from "./cluster-peering-token.ts";
import { jwtConfigCase } from "./jwt-config.ts";
import { jwtRoleCase } from "./jwt-role.ts";
import { policyParameterCase } from "./policy-parameter.ts";
import { sysAuthMountCase } from "./sys-auth-mount.ts";
import { sysSecretsMountCase } from "./sys-secrets-mount.ts";

/** One case file per resource. One that is missing does not compile, and fails completeness.test.ts. */
export const cases: { readonly [Name in ResourceName]: ResourceCase<Name> } = {
  cloudLeaseConfig: cloudLeaseConfigCase,
  cloudRole: cloudRoleCase,
  cloudRootConfig: cloudRootConfigCase,
  cloudRootRotation: cloudRootRotationCase,
  cloudStaticRole: cloudStaticRoleCase,
  clusterPeeredClusters: clusterPeeredClustersCase,
  clusterPeering: clusterPeeringCase,
  clusterPeeringToken: clusterPeeringTokenCase,
  jwtConfig: jwtConfigCase,
  jwtRole: jwtRoleCase,
  policyParameter: policyParameterCase,
  sysAuthMount: sysAuthMountCase,
  sysSecretsMount: sysSecretsMountCase,
};
