import type { FunctionDefinition } from "../core/function";
import { cloudGetCredentials } from "./cloud/get-credentials";
import { cloudGetRoles } from "./cloud/get-roles";
import { cloudGetStaticCredentials } from "./cloud/get-static-credentials";
import { clusterGetPeering } from "./cluster/get-peering";
import { clusterGetPeerings } from "./cluster/get-peerings";
import { jwtAuthUrl } from "./jwt/auth-url";
import { jwtGetRole } from "./jwt/get-role";
import { jwtGetRoles } from "./jwt/get-roles";
import { jwtLogin } from "./jwt/login";
import { policyGetParameters } from "./policy/get-parameters";
import { policyGetPolicySet } from "./policy/get-policy-set";

/** Every function, one line each, by the name of its definition. */
export const functions = {
  cloudGetCredentials,
  cloudGetRoles,
  cloudGetStaticCredentials,
  clusterGetPeering,
  clusterGetPeerings,
  jwtAuthUrl,
  jwtGetRole,
  jwtGetRoles,
  jwtLogin,
  policyGetParameters,
  policyGetPolicySet,
} satisfies Record<string, FunctionDefinition>;
