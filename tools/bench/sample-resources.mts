/** What a measured program declares, as inputs of each class. */
export interface SampleResources {
  readonly roles: readonly RoleInputs[];
  readonly parameters?: readonly ParameterInputs[];
  readonly tokens?: readonly TokenInputs[];
  readonly roleSet?: RoleSetInputs;
}

/** Inputs of a `jwt.Role`. */
export type RoleInputs = Readonly<Record<string, unknown>> & { readonly name: string };
/** Inputs of a `policy.Parameter`. */
export type ParameterInputs = Readonly<Record<string, unknown>> & { readonly key: string };
/** Inputs of a `cluster.PeeringToken`. */
export type TokenInputs = Readonly<Record<string, unknown>> & { readonly peerName: string };

/** Inputs of a `jwt.RoleSet`. */
export interface RoleSetInputs {
  readonly mount: string;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly roles: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The same roles as one set: what all have in common are its defaults. `changed` roles have another property. */
export function sampleRoleSet(count: number, { revision = 0, changed = 0 } = {}): RoleSetInputs {
  const common = ["roleType", "userClaim", "boundAudiences", "boundClaimsType", "tokenPolicies", "tokenTtl"];
  const [first, ...others] = sampleRoles(count, { revision });
  const ownOf = ({ boundClaims }: RoleInputs, index: number) => ({
    boundClaims,
    ...(index < changed ? { tokenMaxTtl: "2h" } : {}),
  });
  const all = first ? [first, ...others] : [];
  return {
    mount: "jwt",
    defaults: Object.fromEntries(common.map((name) => [name, first?.[name]])),
    roles: Object.fromEntries(all.map((role, index) => [role.name, ownOf(role, index)])),
  };
}

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
