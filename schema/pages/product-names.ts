/** What the product itself calls a resource, and the command or request that it stands for, by the resource's token. */
const PRODUCT_NAMES: Readonly<Record<string, string>> = {
  "jwt:Config": vault("the configuration of a JWT/OIDC auth method", "vault write auth/jwt/config"),
  "jwt:Role": vault("a role of a JWT/OIDC auth method", "vault write auth/jwt/role/<name>"),
  "jwt:RoleSet": vault("roles of a JWT/OIDC auth method", "vault write auth/jwt/role/<name>"),
  "cloud:RootConfig": vault("the root configuration of the AWS secrets engine", "vault write aws/config/root"),
  "cloud:RootRotation": vault(
    "a rotation of the AWS secrets engine's root key",
    "vault write -force aws/config/rotate-root",
  ),
  "cloud:LeaseConfig": vault("the lease of the AWS secrets engine", "vault write aws/config/lease"),
  "cloud:Role": vault("a role of the AWS secrets engine", "vault write aws/roles/<name>"),
  "cloud:RoleSet": vault("roles of the AWS secrets engine", "vault write aws/roles/<name>"),
  "cloud:StaticRole": vault("a static role of the AWS secrets engine", "vault write aws/static-roles/<name>"),
  "cloud:StaticRoleSet": vault("static roles of the AWS secrets engine", "vault write aws/static-roles/<name>"),
  "identity:Group": vault("a group of the identity secrets engine", "vault write identity/group"),
  "sys:AuthMount": vault("an auth method", "vault auth enable"),
  "sys:SecretsMount": vault("a secrets engine", "vault secrets enable"),
  "sys:Policy": vault("an ACL policy", "vault policy write"),
  "policy:PolicySet": terraform("a policy set", "POST /organizations/<organization>/policy-sets"),
  "policy:Parameter": terraform("a parameter of a policy set", "POST /policy-sets/<id>/parameters"),
  "policy:ParameterSet": terraform("parameters of a policy set", "POST /policy-sets/<id>/parameters"),
  "cluster:PeeringToken": consul("a peering token, on the side that accepts", "consul peering generate-token"),
  "cluster:Peering": consul("a cluster peering, on the side that dials", "consul peering establish"),
  "cluster:PeeredClusters": consul(
    "a cluster peering, both sides of it",
    "consul peering generate-token` and `consul peering establish",
  ),
  "cluster:ExportedServices": consul("the configuration entry `exported-services`", "consul config write"),
  "cluster:Intention": consul("the configuration entry `service-intentions`", "consul config write"),
};

/** The line of a page. Throws for a resource that has none. */
export function productName(token: string): string {
  const line = PRODUCT_NAMES[token];
  if (line === undefined) throw new Error(`schema/pages/product-names.ts has no row for ${token}`);
  return line;
}

function vault(name: string, command: string): string {
  return `In **Vault and OpenBao**: ${name}, as of \`${command}\`.`;
}

function consul(name: string, command: string): string {
  return `In **Consul**: ${name}, as of \`${command}\`.`;
}

function terraform(name: string, request: string): string {
  return `In **HCP Terraform**: ${name}, as of \`${request}\`.`;
}
