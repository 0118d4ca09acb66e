import type { ResourceCase } from "../../support/contract-case.ts";
import type { ResourceName } from "../../support/contract-host.ts";
import { caseOn } from "../../support/contract-known.ts";
import { secretsServer } from "../../support/contract-servers.ts";
import { cloudLeaseConfigCase } from "./cloud-lease-config.ts";
import { cloudRoleCase } from "./cloud-role.ts";
import { cloudRoleSetCase } from "./cloud-role-set.ts";
import { cloudRootConfigCase } from "./cloud-root-config.ts";
import { cloudRootRotationCase } from "./cloud-root-rotation.ts";
import { cloudStaticRoleCase } from "./cloud-static-role.ts";
import { cloudStaticRoleSetCase } from "./cloud-static-role-set.ts";
import { clusterExportedServicesCase } from "./cluster-exported-services.ts";
import { clusterIntentionCase } from "./cluster-intention.ts";
import { clusterPeeredClustersCase } from "./cluster-peered-clusters.ts";
import { clusterPeeringCase } from "./cluster-peering.ts";
import { clusterPeeringTokenCase } from "./cluster-peering-token.ts";
import { identityGroupCase } from "./identity-group.ts";
import { jwtConfigCase } from "./jwt-config.ts";
import { jwtRoleCase } from "./jwt-role.ts";
import { jwtRoleSetCase } from "./jwt-role-set.ts";
import { policyParameterCase } from "./policy-parameter.ts";
import { policyParameterSetCase } from "./policy-parameter-set.ts";
import { policyPolicySetCase } from "./policy-policy-set.ts";
import { sysAuthMountCase } from "./sys-auth-mount.ts";
import { sysPolicyCase } from "./sys-policy.ts";
import { sysSecretsMountCase } from "./sys-secrets-mount.ts";

type Cases = { readonly [Name in ResourceName]: ResourceCase<Name> };

/** One case file per resource. One that is missing does not compile, and fails completeness.test.ts. */
const files: Cases = {
  cloudLeaseConfig: cloudLeaseConfigCase,
  cloudRole: cloudRoleCase,
  cloudRoleSet: cloudRoleSetCase,
  cloudRootConfig: cloudRootConfigCase,
  cloudRootRotation: cloudRootRotationCase,
  cloudStaticRole: cloudStaticRoleCase,
  cloudStaticRoleSet: cloudStaticRoleSetCase,
  clusterExportedServices: clusterExportedServicesCase,
  clusterIntention: clusterIntentionCase,
  clusterPeeredClusters: clusterPeeredClustersCase,
  clusterPeering: clusterPeeringCase,
  clusterPeeringToken: clusterPeeringTokenCase,
  identityGroup: identityGroupCase,
  jwtConfig: jwtConfigCase,
  jwtRole: jwtRoleCase,
  jwtRoleSet: jwtRoleSetCase,
  policyParameter: policyParameterCase,
  policyParameterSet: policyParameterSetCase,
  policyPolicySet: policyPolicySetCase,
  sysAuthMount: sysAuthMountCase,
  sysPolicy: sysPolicyCase,
  sysSecretsMount: sysSecretsMountCase,
};

/** The cases, as they are on the server under test. */
export const cases = Object.fromEntries(
  Object.entries<ResourceCase>(files).map(([name, of]) => [name, caseOn(secretsServer, name as ResourceName, of)]),
  // The same names as before, each with its own case.
) as unknown as Cases;
