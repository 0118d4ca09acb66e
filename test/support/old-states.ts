import { createHash } from "node:crypto";
import type { Values } from "../../provider/core/definition.ts";

/** A resource as another provider keeps it: its address in Terraform, its type and name in Pulumi, and its attributes. */
export interface KeptResource {
  readonly type: string;
  readonly name: string;
  readonly module?: string;
  readonly key?: string | number;
  /** Alias of its provider, or name of Pulumi's. */
  readonly provider?: string;
  /** Addresses to which its configuration refers. */
  readonly dependencies?: readonly string[];
  readonly attributes: Values;
  readonly isProtected?: true;
}

const camelCase = (text: string) => text.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** What `terraform state pull` prints for these. */
export function terraformState(resources: readonly KeptResource[]): string {
  const groups = Map.groupBy(resources, ({ module = "", type, name }) => `${module} ${type} ${name}`);
  return JSON.stringify({
    version: 4,
    terraform_version: "1.11.4",
    serial: 7,
    lineage: "f4d3f4a5-7a86-0d8e-9a3c-0d1f1c1e9b11",
    outputs: {},
    resources: [
      { mode: "data", type: "vault_policy_document", name: "x", provider: "", instances: [{ attributes: {} }] },
      ...[...groups.values()].map((group) => {
        const [{ module, type, name, provider: alias } = { type: "", name: "" }] = group;
        const [provider = ""] = type.split("_");
        return {
          ...(module ? { module } : {}),
          mode: "managed",
          type,
          name,
          provider: `provider["registry.terraform.io/hashicorp/${provider}"]${alias === undefined ? "" : `.${alias}`}`,
          instances: group.map(({ key, attributes, dependencies }) => ({
            ...(key === undefined ? {} : { index_key: key }),
            schema_version: 0,
            attributes,
            sensitive_attributes: [],
            ...(dependencies === undefined ? {} : { dependencies }),
          })),
        };
      }),
    ],
    check_results: null,
  });
}

/** Types of Pulumi's packages for those of Terraform's providers. */
const PULUMI_TYPES: Readonly<Record<string, string>> = {
  vault_auth_backend: "vault:index/authBackend:AuthBackend",
  vault_jwt_auth_backend: "vault:jwt/authBackend:AuthBackend",
  vault_jwt_auth_backend_role: "vault:jwt/authBackendRole:AuthBackendRole",
  vault_policy: "vault:index/policy:Policy",
  vault_mount: "vault:index/mount:Mount",
  vault_aws_secret_backend: "vault:aws/secretBackend:SecretBackend",
  vault_aws_secret_backend_role: "vault:aws/secretBackendRole:SecretBackendRole",
  vault_aws_secret_backend_static_role: "vault:aws/secretBackendStaticRole:SecretBackendStaticRole",
  vault_identity_group: "vault:identity/group:Group",
  vault_identity_group_alias: "vault:identity/groupAlias:GroupAlias",
  vault_identity_group_policies: "vault:identity/groupPolicies:GroupPolicies",
  vault_kv_secret_v2: "vault:kv/secretV2:SecretV2",
  consul_peering_token: "consul:index/peeringToken:PeeringToken",
  consul_config_entry: "consul:index/configEntry:ConfigEntry",
  tfe_policy_set: "tfe:index/policySet:PolicySet",
  tfe_policy_set_parameter: "tfe:index/policySetParameter:PolicySetParameter",
};

const VERSION = "v3.250.0";

/** What `pulumi stack export` prints for these. */
export function pulumiState(resources: readonly KeptResource[]): string {
  const urn = (type: string, name: string) => `urn:pulumi:dev::old::${type}::${name}`;
  const time = "2026-01-01T00:00:00Z";
  const providerOf = ({ type: of, provider = "default_7_1_0" }: KeptResource) => {
    const [type, id] = [`pulumi:providers:${of.split("_")[0]}`, "4d2f"];
    return { type, id, urn: urn(type, provider), reference: `${urn(type, provider)}::${id}` };
  };
  const providers = [...new Map(resources.map(providerOf).map((each) => [each.urn, each])).values()];
  return JSON.stringify({
    version: 3,
    deployment: {
      manifest: { time, magic: createHash("sha256").update(VERSION).digest("hex"), version: VERSION },
      resources: [
        { urn: urn("pulumi:pulumi:Stack", "old-dev"), custom: false, type: "pulumi:pulumi:Stack" },
        ...providers.map(({ urn, id, type }) => ({ urn, custom: true, id, type, inputs: {}, outputs: {} })),
        ...resources.map((resource) => {
          const { type, name, key, attributes, dependencies = [], isProtected } = resource;
          const { id, ...rest } = attributes;
          const made = PULUMI_TYPES[type] ?? type;
          const outputs = Object.fromEntries(Object.entries(rest).map(([each, value]) => [camelCase(each), value]));
          const own = key === undefined ? name : `${name}-${key}`;
          return {
            urn: urn(made, own),
            custom: true,
            id,
            type: made,
            inputs: {},
            outputs,
            parent: urn("pulumi:pulumi:Stack", "old-dev"),
            dependencies: dependencies.map((address) => {
              const [of = "", whose = ""] = address.split(".");
              return urn(PULUMI_TYPES[of] ?? of, whose);
            }),
            ...(isProtected ? { protect: true } : {}),
            provider: providerOf(resource).reference,
          };
        }),
      ],
    },
  });
}
