import { mapstructureWords } from "../framework/coercion-problem";
import { multierrorText } from "../framework/refusal";
import type { SecretsProfile } from "./secrets-profile";

/** Vault 1.21, Community Edition: what the recordings were made on. */
export const vault: SecretsProfile = {
  name: "Vault",
  version: "1.21.1",
  isEnterprise: false,
  runningVersions: { builtin: "v1.21.1+builtin.vault", jwt: "v0.25.0+builtin" },
  lacks: {
    jwt: {
      members: {
        config: ["override_allowed_server_names", "skip_jwks_validation"],
        "role/:name": [
          "alias_metadata",
          "callback_mode",
          "poll_interval",
          "oauth2_metadata",
          "token_policies_template_claims",
          "token_strictly_bind_ip",
          "oidc_disable_confirmation",
        ],
      },
    },
    aws: { fields: { "static-roles/:name": ["assume_role_arn", "assume_role_session_name", "external_id"] } },
  },
  transport: {
    hiddenMembers: { "sys/health": [], "sys/seal-status": ["commit_date"], "sys/leader": [] },
    namesMountType: true,
    tokenPrefixes: { service: "hvs.", batch: "hvb." },
    unknownToken: multierrorText(["permission denied", "invalid token"]),
    limitsBodies: true,
    unparsable: (reason) => `error parsing JSON: failed to parse JSON input: ${reason}`,
    pageNotFound: "text",
  },
  policies: {
    capabilities: ["create", "read", "update", "delete", "list", "sudo", "patch", "deny", "subscribe", "recover"],
    pathKeys: [
      "comment",
      "policy",
      "capabilities",
      "allowed_parameters",
      "denied_parameters",
      "required_parameters",
      "min_wrapping_ttl",
      "max_wrapping_ttl",
      "mfa_methods",
      "control_group",
      "subscribe_event_types",
    ],
    unsupportedKeys: [],
    takesRepeatedKeys: false,
    keepsSettings: false,
    comparesMembers: true,
  },
  coercion: { words: mapstructureWords, failure: (field) => `error converting input for field "${field}"` },
  jwt: {
    oneKeySource:
      "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set",
    keySetProblem: (url) => `error checking jwks URL ${url}`,
    providers: ["azure", "gsuite", "secureauth", "ibmisam"],
    algorithmPrefix: "",
    verifiesWithClient: false,
    countsEmptyAudience: false,
    browserLogin: {
      failed: "Vault login failed.",
      coversClaims: false,
      looksForRoleFirst: false,
      comparesRedirectsExactly: false,
    },
    tellsStatus: false,
  },
  aws: {
    rootConfigIsMerged: true,
    hasEnterpriseFunctions: false,
    credentialTypes: ["iam_user", "assumed_role", "federation_token", "session_token"],
    temporaryTypes: "assumed_role, federation_token, and session_token credential types",
    userPathProblem: "the specified value for user_path is invalid.",
    rotationNeedsEndpoint: false,
    asksIdentity: true,
    reschedulesOnWrite: true,
    tokenMembers: {
      iam_user: ["session_token"],
      assumed_role: ["security_token", "session_token"],
      federation_token: ["security_token", "session_token"],
      session_token: ["session_token"],
    },
  },
  identity: { lowersPolicies: false, findsRootInAnyCase: true },
};
