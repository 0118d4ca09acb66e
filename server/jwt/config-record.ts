import type { FieldData } from "../framework/field-data";
import type { WireObject, WireValue } from "../framework/wire-value";
import { shownProviderConfig } from "./provider-config";

/** The fields of the configuration that one of the products has. */
export const configFields = {
  oidc_discovery_url: "string",
  oidc_discovery_ca_pem: "string",
  oidc_client_id: "string",
  oidc_client_secret: "string",
  oidc_response_mode: "string",
  oidc_response_types: "commaStringSlice",
  jwks_url: "string",
  jwks_ca_pem: "string",
  jwks_pairs: "slice",
  default_role: "lowerCaseString",
  jwt_validation_pubkeys: "commaStringSlice",
  jwt_supported_algs: "commaStringSlice",
  bound_issuer: "string",
  provider_config: "map",
  namespace_in_state: "bool",
  unsupported_critical_cert_extensions: "commaStringSlice",
  override_allowed_server_names: "commaStringSlice",
  skip_jwks_validation: "bool",
} as const;

export interface ConfigRecord {
  readonly oidc_discovery_url: string;
  readonly oidc_discovery_ca_pem: string;
  readonly oidc_client_id: string;
  /** Never returned. */
  readonly oidc_client_secret: string;
  readonly oidc_response_mode: string;
  readonly oidc_response_types: readonly string[];
  readonly jwks_url: string;
  readonly jwks_ca_pem: string;
  readonly jwks_pairs: readonly WireValue[];
  readonly default_role: string;
  readonly jwt_validation_pubkeys: readonly string[];
  readonly jwt_supported_algs: readonly string[];
  readonly bound_issuer: string;
  readonly provider_config: WireObject;
  readonly namespace_in_state: boolean;
  readonly unsupported_critical_cert_extensions: readonly string[];
  readonly override_allowed_server_names: readonly string[];
}

/** The record of a write: rebuilt from the request, but for `namespace_in_state`, which keeps its value. */
export function configFrom(data: FieldData<typeof configFields>, stored: ConfigRecord | undefined): ConfigRecord {
  return {
    oidc_discovery_url: data.get("oidc_discovery_url"),
    oidc_discovery_ca_pem: data.get("oidc_discovery_ca_pem"),
    oidc_client_id: data.get("oidc_client_id"),
    oidc_client_secret: data.get("oidc_client_secret"),
    oidc_response_mode: data.get("oidc_response_mode"),
    oidc_response_types: data.get("oidc_response_types"),
    jwks_url: data.get("jwks_url"),
    jwks_ca_pem: data.get("jwks_ca_pem"),
    jwks_pairs: data.get("jwks_pairs"),
    default_role: data.get("default_role"),
    jwt_validation_pubkeys: data.get("jwt_validation_pubkeys"),
    jwt_supported_algs: data.get("jwt_supported_algs"),
    bound_issuer: data.get("bound_issuer"),
    provider_config: data.get("provider_config") ?? {},
    namespace_in_state: data.given("namespace_in_state") ?? stored?.namespace_in_state ?? true,
    unsupported_critical_cert_extensions: data.get("unsupported_critical_cert_extensions"),
    override_allowed_server_names: data.get("override_allowed_server_names"),
  };
}

/** What a read shows: everything but the secrets, always every key. */
export function shownConfig({
  oidc_client_secret: _secret,
  ...config
}: ConfigRecord): Readonly<Record<string, unknown>> {
  return { ...config, provider_config: shownProviderConfig(config.provider_config) };
}
