import type { Scenario } from "../../scenario.mts";
import { approleLogin } from "./approle-login.mts";
import { approleRole } from "./approle-role.mts";
import { approleSecretId } from "./approle-secret-id.mts";
import { cloudConfig } from "./cloud-config.mts";
import { cloudCredentialRules } from "./cloud-credential-rules.mts";
import { cloudCredentials } from "./cloud-credentials.mts";
import { cloudLeases } from "./cloud-leases.mts";
import { cloudRevocation } from "./cloud-revocation.mts";
import { cloudRole } from "./cloud-role.mts";
import { cloudRoleRefused } from "./cloud-role-refused.mts";
import { cloudRotation } from "./cloud-rotation.mts";
import { identityGroup } from "./identity-group.mts";
import { identityGroupLogin } from "./identity-group-login.mts";
import { jwtConfig } from "./jwt-config.mts";
import { jwtGroups } from "./jwt-groups.mts";
import { jwtLogin } from "./jwt-login.mts";
import { jwtLoginClaims } from "./jwt-login-claims.mts";
import { jwtLoginKeys } from "./jwt-login-keys.mts";
import { jwtLoginTimes } from "./jwt-login-times.mts";
import { jwtRole } from "./jwt-role.mts";
import { jwtRoleRefused } from "./jwt-role-refused.mts";
import { jwtToken } from "./jwt-token.mts";
import { openBaoOnly } from "./openbao-only.mts";
import { sysAuth } from "./sys-auth.mts";
import { sysMountSettings } from "./sys-mount-settings.mts";
import { sysMounts } from "./sys-mounts.mts";
import { sysPolicies } from "./sys-policies.mts";
import { sysQuota } from "./sys-quota.mts";
import { sysRemount } from "./sys-remount.mts";
import { sysSealed } from "./sys-sealed.mts";
import { sysStatus } from "./sys-status.mts";
import { tokens } from "./tokens.mts";
import { tokensAndPolicies } from "./tokens-and-policies.mts";
import { transport } from "./transport.mts";
import { wrapping } from "./wrapping.mts";

export const secretsScenarios: readonly Scenario[] = [
  sysStatus,
  sysSealed,
  sysMounts,
  sysAuth,
  sysMountSettings,
  sysRemount,
  sysPolicies,
  sysQuota,
  tokens,
  tokensAndPolicies,
  transport,
  wrapping,
  openBaoOnly,
  jwtConfig,
  jwtRole,
  jwtRoleRefused,
  jwtLogin,
  jwtLoginClaims,
  jwtLoginKeys,
  jwtLoginTimes,
  jwtToken,
  jwtGroups,
  identityGroup,
  identityGroupLogin,
  approleRole,
  approleSecretId,
  approleLogin,
  cloudConfig,
  cloudRole,
  cloudRoleRefused,
  cloudRotation,
  cloudCredentials,
  cloudCredentialRules,
  cloudLeases,
  cloudRevocation,
];
