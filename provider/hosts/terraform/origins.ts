/** A resource type of another provider whose record a resource of ours is, too. */
export interface Origin {
  readonly type: string;
  /** Ours, as its table names it. */
  readonly token: string;
  /** Our property to their attribute: what the id is made of, and what decides which properties are secret. */
  readonly from: Readonly<Record<string, string>>;
  /** Our secret property to their attribute that has it in the state: it was sent already, so it is no change. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Their attributes that must have these values: one type of theirs may stand for several of ours. */
  readonly when?: Readonly<Record<string, string>>;
}

const MOUNT = { mount: "path" };
const PATH = { path: "path" };
const NAMED = { mount: "backend", name: "name" };
const PEER = { peerName: "peer_name" };
const INTENTIONS = { destination: "name", namespace: "namespace" };

/** From the public documentation of the vault, consul and tfe providers. A mount and its configuration are one resource there. */
export const ORIGINS: readonly Origin[] = [
  { type: "vault_policy", token: "sys:Policy", from: { name: "name" } },
  { type: "vault_auth_backend", token: "sys:AuthMount", from: PATH },
  { type: "vault_mount", token: "sys:SecretsMount", from: PATH },
  { type: "vault_jwt_auth_backend", token: "sys:AuthMount", from: PATH },
  {
    type: "vault_jwt_auth_backend",
    token: "jwt:Config",
    from: MOUNT,
    secrets: { oidcClientSecret: "oidc_client_secret" },
  },
  { type: "vault_jwt_auth_backend_role", token: "jwt:Role", from: { mount: "backend", name: "role_name" } },
  { type: "vault_aws_secret_backend", token: "sys:SecretsMount", from: PATH },
  {
    type: "vault_aws_secret_backend",
    token: "cloud:RootConfig",
    from: { ...MOUNT, accessKey: "access_key" },
    secrets: { secretKey: "secret_key" },
  },
  { type: "vault_aws_secret_backend_role", token: "cloud:Role", from: NAMED },
  { type: "vault_aws_secret_backend_static_role", token: "cloud:StaticRole", from: { ...NAMED, username: "username" } },
  { type: "vault_identity_group", token: "identity:Group", from: { name: "name" } },
  { type: "consul_peering", token: "cluster:Peering", from: PEER, secrets: { peeringToken: "peering_token" } },
  { type: "consul_config_entry", token: "cluster:Intention", from: INTENTIONS, when: { kind: "service-intentions" } },
  { type: "consul_config_entry_service_intentions", token: "cluster:Intention", from: INTENTIONS },
  {
    type: "consul_config_entry",
    token: "cluster:ExportedServices",
    // The record has the name of its partition.
    from: { partition: "name" },
    when: { kind: "exported-services" },
  },
  { type: "consul_config_entry_v2_exported_services", token: "cluster:ExportedServices", from: { partition: "name" } },
  {
    type: "tfe_policy_set",
    token: "policy:PolicySet",
    from: { organization: "organization", policySetId: "id" },
  },
  {
    type: "tfe_policy_set_parameter",
    token: "policy:Parameter",
    from: { policySetId: "policy_set_id", parameterId: "id", key: "key", sensitive: "sensitive" },
    secrets: { value: "value" },
  },
];

/** Their types that are a part of a resource of ours, or the reason why there is none. */
export const PARTS: Readonly<Record<string, string>> = {
  vault_identity_group_alias: "it is the property alias of trustplane_identity_group, which is moved from the group",
  consul_peering_token: "its token is in the state, where this provider keeps none",
};
