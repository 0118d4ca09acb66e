/** What a role looks like that is measured: one of those that the README shows. */
export function sampleRole(index: number): Readonly<Record<string, unknown>> {
  return {
    mount: "jwt",
    name: `role-${index}`,
    roleType: "jwt",
    userClaim: "repository",
    boundAudiences: ["https://vault.example.com"],
    boundClaims: { repository: `acme/service-${index}`, ref: ["refs/heads/main", "refs/tags/*"] },
    boundClaimsType: "glob",
    tokenPolicies: ["deploy"],
    tokenTtl: "10m",
  };
}

/** The source of that function, for programs in JavaScript. */
export const sampleRoleSource = sampleRole.toString();
