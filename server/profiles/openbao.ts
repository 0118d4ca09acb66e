import { newerMapstructureWords } from "../framework/coercion-problem";
import type { SecretsProfile } from "./secrets-profile";
import { vault } from "./vault";

/** OpenBao 2.6 with the cloud engine of its plugins: what its recordings show. */
export const openbao: SecretsProfile = {
  ...vault,
  name: "OpenBao",
  version: "2.6.2",
  runningVersions: { builtin: "v2.6.2+builtin.bao", jwt: "v2.6.2+builtin.bao" },
  lacks: {
    awsMethod: true,
    // By its source, of 2025.
    mounts: ["trim_request_trailing_slashes", "identity_token_key", "allowed_managed_keys", "delegated_auth_accessors"],
    // By its source, of 2025.
    cert: { members: { "certs/:name": ["allowed_organizations", "ocsp_this_update_max_age", "ocsp_max_retries"] } },
    jwt: {
      members: {
        config: ["jwks_pairs", "unsupported_critical_cert_extensions"],
        login: ["distributed_claim_access_token"],
        "role/:name": ["alias_metadata"],
      },
    },
    aws: {
      paths: ["static-roles/?"],
      members: {
        "config/root": [
          "role_arn",
          "identity_token_audience",
          "identity_token_ttl",
          "sts_region",
          "sts_fallback_endpoints",
          "sts_fallback_regions",
          "rotation_schedule",
          "rotation_window",
          "rotation_period",
          "disable_automated_rotation",
        ],
        "roles/:name": ["session_tags", "external_id", "mfa_serial_number"],
        "creds/:name": ["mfa_code"],
        "sts/:name": ["mfa_code"],
        "static-roles/:name": ["assume_role_arn", "assume_role_session_name", "external_id"],
        "static-creds/:name": ["expiration"],
      },
    },
  },
  transport: {
    ...vault.transport,
    hiddenMembers: {
      "sys/health": [
        "performance_standby",
        "enterprise",
        "echo_duration_ms",
        "clock_skew_ms",
        "replication_primary_canary_age_ms",
      ],
      "sys/seal-status": ["build_date"],
      "sys/leader": [
        "is_self",
        "active_time",
        "leader_address",
        "leader_cluster_address",
        "performance_standby",
        "performance_standby_last_remote_wal",
      ],
    },
    namesMountType: false,
    tokenPrefixes: { service: "s.", batch: "b." },
    unknownToken: "permission denied",
    limitsBodies: false,
    // It reads bodies token by token, so Go's error does not say what was expected.
    unparsable: (reason) =>
      `failed to decode JSON input: ${reason.replace(/ looking for beginning of object key string$/, "")}`,
    pageNotFound: "errors",
    unknownNamespace: () => "namespace not found",
  },
  // By its source, of 2025. It also has the capability `scan`, for an operation that is not imitated.
  policies: {
    ...vault.policies,
    capabilities: vault.policies.capabilities.filter((name) => name !== "recover" && name !== "subscribe"),
    pathKeys: vault.policies.pathKeys.filter((key) => key !== "subscribe_event_types"),
    unsupportedKeys: ["pagination_limit", "expiration", "list_scan_response_keys_filter_path"],
    keepsSettings: true,
    comparesMembers: false,
  },
  coercion: { ...vault.coercion, words: newerMapstructureWords },
  jwt: {
    ...vault.jwt,
    oneKeySource:
      "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs', 'oidc_discovery_url', or 'provider_config' must be set",
    keySetProblem: () => "error checking jwks URL",
    providers: [...vault.jwt.providers, "kubernetes"],
    verifiesWithClient: true,
    countsEmptyAudience: true,
    browserLogin: {
      failed: "OpenBao login failed.",
      coversClaims: true,
      looksForRoleFirst: true,
      comparesRedirectsExactly: true,
    },
    tellsStatus: true,
  },
  aws: {
    ...vault.aws,
    rootConfigIsMerged: false,
    credentialTypes: ["iam_user", "assumed_role", "federation_token"],
    temporaryTypes: "assumed_role and federation_token credential types",
    userPathProblem: "The specified value for user_path is invalid.",
    asksIdentity: false,
    reschedulesOnWrite: false,
    tokenMembers: {
      iam_user: ["security_token"],
      assumed_role: ["security_token"],
      federation_token: ["security_token"],
      session_token: [],
    },
  },
  identity: { ...vault.identity, lowersPolicies: true },
};
