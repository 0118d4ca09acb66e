import type { Sections } from "./section.ts";

/** JWT/OIDC auth method: what the method is, and the record at its mount. */
export const jwtConfig = {
  "jwt: What the service does": {
    of: [],
    rows: {
      "login against a role": {
        says: "a signed JWT, or an ID token from a provider, is checked against a named role; a server token comes back",
        real: "as documented; the checks have a fixed order, the signature before the claims",
        evidence: ["wire secrets-jwt-login", "wire secrets-jwt-login-keys", "reference secrets 3.1"],
        asserted:
          "a JWT and a login through a browser give tokens that work; the wrong ones are refused in the server's words and order",
      },
      "two role types": {
        says: "`oidc`, which is the default, and `jwt`",
        real: "as documented; an update that names no type falls back to `oidc`",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.3"],
        asserted:
          "both types are written and read; the provider always sends the type; a role for people logs nobody in with a JWT",
      },
      "entity alias": {
        says: "a login makes an entity alias, whose name is the value of `user_claim`",
        real: "as documented; one entity for every role of the mount, an empty name is a 500",
        evidence: ["wire secrets-jwt-groups", "wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "the entity and its alias after a login, also the second one through another role",
      },
      "group aliases": {
        says: "with `groups_claim` a login makes group aliases, named after the claim's values",
        real: "a group of that alias, if there is one, has the user as a member until a login without it",
        evidence: ["wire secrets-jwt-groups"],
        asserted: "membership by alias, its policies on the token, and the end of both",
      },
      "another mount": {
        says: "mounted at `auth/jwt` unless chosen otherwise; every path moves with the mount",
        evidence: ["wire secrets-sys-auth", "wire secrets-sys-remount"],
        asserted:
          "configuration, roles, logins and entities of two mounts are apart; the mount identifies the resource",
      },
    },
  },
  "jwt: Global configuration": {
    of: ["jwtConfig"],
    evidence: ["wire secrets-jwt-config", "reference secrets 2.1"],
    rows: {
      "one source of keys": {
        says: "exactly one of discovery URL, key set URL and local keys",
        real: "four sources: Vault counts `jwks_pairs` too; none or two are a 400 that names them",
        asserted:
          "none and two are refused by the check, by the embedded server in Vault's words, and nothing is stored",
      },
      oidc_discovery_url: {
        says: "base URL of the provider, without the well-known part",
        real: "fetched when written: an unreachable document, or one of another issuer, is a 400",
        asserted:
          "the document's keys verify logins; the issuer must be equal to the byte; what cannot be fetched is refused",
      },
      oidc_discovery_ca_pem: {
        says: "PEM certificates trusted for the discovery URL; else those of the system",
        real: "kept to the letter; what is no certificate fails the discovery check",
        asserted: "trusted for the document and the keys, refused when unreadable, read back without a difference",
      },
      oidc_client_id: {
        says: "OAuth client of OIDC roles",
        real: "needs the secret and a discovery URL beside it; then JWTs log nobody in (Vault)",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login", "reference secrets 3.7"],
        asserted: "refused alone or without discovery; a JWT is refused where people log in",
      },
      oidc_client_secret: {
        says: "secret of that OAuth client",
        real: "never read back; erased by a write that leaves it out",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.2"],
        asserted: "absent from reads, sent with every write, a secret in the state, a change shows as a fingerprint",
      },
      oidc_response_mode: {
        says: "`query` (default) or `form_post`; with namespaces `form_post` goes with `namespace_in_state` off",
        real: 'unset reads `""`; other words are a 400 in their own case',
        evidence: ["wire secrets-jwt-config", "reference secrets 3.3"],
        asserted:
          "other words are refused; the default and unset are no difference; what the address says of it, and that only form_post takes a posted answer",
      },
      oidc_response_types: {
        says: "`code` (default) and `id_token`, the latter with `form_post` only",
        real: "as documented; text or list, unset reads `[]`",
        evidence: ["wire secrets-jwt-config", "reference secrets 3.3"],
        asserted:
          "an ID token in the query and unknown types are refused; what the address asks for, and that a code is then none",
      },
      jwks_url: {
        says: "key set that verifies signatures",
        real: "fetched when written, and again when no known key has signed",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.1"],
        asserted: "its keys verify, the one that the token names alone; a set that cannot be read is refused",
      },
      jwks_ca_pem: {
        says: "PEM certificates trusted for the key set URL; else those of the system",
        real: "looked at only with `jwks_url`; unreadable is a 400",
        asserted: "trusted for the keys, refused when unreadable",
      },
      jwt_validation_pubkeys: {
        says: "PEM keys that verify signatures without a request; text or list",
        real: "one key or certificate per element; read back without the white space around",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.2"],
        asserted: "each key verifies; forms that are taken and refused; a final newline is no difference",
      },
      bound_issuer: {
        says: "what the `iss` claim must be",
        real: "as documented, for JWTs; not looked at when people log in",
        evidence: ["wire secrets-jwt-login-keys", "reference secrets 3.4"],
        asserted: "another issuer and none are refused",
      },
      jwt_supported_algs: {
        says: "signing algorithms; `RS256` for OIDC roles, all for JWT roles unless given",
        real: "ten asymmetric ones, in capitals; unset reads `[]`",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.1"],
        asserted:
          "shared keys and small letters are refused; all when empty, else those alone; RS256 for ID tokens unless more are agreed on",
      },
      default_role: {
        says: "role of a login or authorization URL that names none",
        real: "kept in lower case",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.1"],
        asserted: "a login and an address without a role have this one; letter case is no difference",
      },
      provider_config: {
        says: "options of one provider; Azure and Google have some",
        real: "azure, gsuite, secureauth and ibmisam in Vault 1.21, kubernetes in OpenBao; secret members are not read back",
        asserted:
          "unknown providers and a map without one are refused; the hidden member is kept; values compare as text",
      },
      namespace_in_state: {
        says: "the namespace travels in the state parameter; on for new configurations",
        real: "kept when a write leaves it out, the only field that is; null stores off",
        evidence: ["wire secrets-jwt-config", "reference secrets 3.3"],
        asserted:
          "stays through a write without it, always sent by the provider; in the state or in the redirect URI, which is then compared with it",
      },
    },
  },
} satisfies Sections;
