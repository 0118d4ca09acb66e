/** What a measured program declares, as inputs of each class. */
export interface SampleResources {
  readonly roles: readonly RoleInputs[];
  readonly parameters?: readonly ParameterInputs[];
  readonly tokens?: readonly TokenInputs[];
}

/** Inputs of a `jwt.Role`. */
export type RoleInputs = Readonly<Record<string, unknown>> & { readonly name: string };
/** Inputs of a `policy.Parameter`. */
export type ParameterInputs = Readonly<Record<string, unknown>> & { readonly key: string };
/** Inputs of a `cluster.PeeringToken`. */
export type TokenInputs = Readonly<Record<string, unknown>> & { readonly peerName: string };

/** `revision` changes one property, and nothing that would replace the resource. */
export function sampleRoles(count: number, { revision = 0 } = {}): RoleInputs[] {
  return numbered(count, (index) => ({
    mount: "jwt",
    name: `role-${index}`,
    roleType: "jwt",
    userClaim: "repository",
    boundAudiences: ["https://vault.example.com"],
    boundClaims: { repository: `acme/service-${index}`, ref: ["refs/heads/main", "refs/tags/*"] },
    boundClaimsType: "glob",
    tokenPolicies: ["deploy"],
    tokenTtl: `${10 + revision}m`,
  }));
}

export function sampleParameters(count: number, policySetId: string, { revision = 0 } = {}): ParameterInputs[] {
  return numbered(count, (index) => ({ policySetId, key: `limit-${index}`, value: String(revision) }));
}

export function sampleTokens(count: number, { revision = 0 } = {}): TokenInputs[] {
  return numbered(count, (index) => ({ peerName: `peer-${index}`, generation: revision }));
}

function numbered<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
