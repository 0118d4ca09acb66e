import type { Sections } from "./section.ts";

/** Document 1: what the method is, and the record at its mount. */
export const jwtConfig = {
  "1 What the service does": {
    of: [],
    rows: {
      "login against a role": {
        says: "a signed JWT, or an ID token from a provider, is checked against a named role; a server token comes back",
        real: "as documented; the checks have a fixed order, the signature before the claims",
        evidence: ["wire secrets-jwt-login", "wire secrets-jwt-login-keys", "reference secrets 3.1"],
        asserted:
          "a JWT and a login through a browser give tokens that work; the wrong ones are refused in the server's words and order",
        tests: [
          "wire secrets-jwt-login > log in",
          "server/jwt-login-token > answers the auth block, and names no mount type",
          "live/functions > a login gives a token that works",
          "support/oidc-login-suite > gives a token, named and bound as the role says, that works",
        ],
      },
      "two role types": {
        says: "`oidc`, which is the default, and `jwt`",
        real: "as documented; an update that names no type falls back to `oidc`",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.3"],
        asserted:
          "both types are written and read; the provider always sends the type; a role for people logs nobody in with a JWT",
        tests: [
          "wire secrets-jwt-role > create for people",
          "contract/traps/jwt-traps > an update sends role type and claims type, which the server would else reset",
          "wire secrets-jwt-login > log in as a role for people",
        ],
      },
      "entity alias": {
        says: "a login makes an entity alias, whose name is the value of `user_claim`",
        real: "as documented; one entity for every role of the mount, an empty name is a 500",
        evidence: ["wire secrets-jwt-groups", "wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "the entity and its alias after a login, also the second one through another role",
        tests: [
          "server/jwt-login-role > an entity belongs to the user, in every role of the mount",
          "wire secrets-jwt-groups > the entity of the login",
          "wire secrets-jwt-login-claims > the user claim is empty",
        ],
      },
      "group aliases": {
        says: "with `groups_claim` a login makes group aliases, named after the claim's values",
        real: "a group of that alias, if there is one, has the user as a member until a login without it",
        evidence: ["wire secrets-jwt-groups"],
        asserted: "membership by alias, its policies on the token, and the end of both",
        tests: [
          "wire secrets-jwt-groups > the group and its member",
          "wire secrets-jwt-groups > the same user has left the group",
          "server/jwt-login-role > groups_claim: lets the user into the groups of these aliases, whose policies supplement token_policies",
        ],
      },
      "another mount": {
        says: "mounted at `auth/jwt` unless chosen otherwise; every path moves with the mount",
        real: "as documented",
        evidence: ["wire secrets-sys-auth", "wire secrets-sys-remount"],
        asserted:
          "configuration, roles, logins and entities of two mounts are apart; the mount identifies the resource",
        tests: [
          "server/jwt-login-token > is at every mount of the method, each with its own configuration, roles and entities",
          "unit/core/template > keeps the slashes of a mount and encodes everything else",
        ],
      },
    },
  },
  "1 Global configuration": {
    of: ["jwtConfig"],
    rows: {
      "one source of keys": {
        says: "exactly one of discovery URL, key set URL and local keys",
        real: "four sources: Vault counts `jwks_pairs` too; none or two are a 400 that names them",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.1"],
        asserted:
          "none and two are refused by the check, by the embedded server in Vault's words, and nothing is stored",
        tests: [
          "wire secrets-jwt-config > no source of keys",
          "wire secrets-jwt-config > two sources of keys",
          "unit/rules/jwt-config > a jwt.Config has exactly one source of keys",
        ],
      },
      oidc_discovery_url: {
        says: "base URL of the provider, without the well-known part",
        real: "fetched when written: an unreachable document, or one of another issuer, is a 400",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.1"],
        asserted:
          "the document's keys verify logins; the issuer must be equal to the byte; what cannot be fetched is refused",
        tests: [
          "server/jwt-login-config > oidc_discovery_url: the keys that its discovery document names verify signatures",
          "server/jwt-config > must equal the issuer to the byte, a final slash included",
          "wire secrets-jwt-config > a discovery URL of another issuer",
        ],
      },
      oidc_discovery_ca_pem: {
        says: "PEM certificates trusted for the discovery URL; else those of the system",
        real: "kept to the letter; what is no certificate fails the discovery check",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.1"],
        asserted: "trusted for the document and the keys, refused when unreadable, read back without a difference",
        tests: [
          "server/jwt-login-config > oidc_discovery_ca_pem: is trusted for the document and for the keys",
          "wire secrets-jwt-config > a discovery CA that is none",
          "contract/traps/jwt-traps > CA texts are kept verbatim, and white space around them does not count",
        ],
      },
      oidc_client_id: {
        says: "OAuth client of OIDC roles",
        real: "needs the secret and a discovery URL beside it; then JWTs log nobody in (Vault)",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login", "reference secrets 3.7"],
        asserted: "refused alone or without discovery; a JWT is refused where people log in",
        tests: [
          "wire secrets-jwt-config > a client without its secret",
          "wire secrets-jwt-config > a client without discovery",
          "server/jwt-login-config > oidc_client_id, oidc_client_secret: where people log in, JWTs are refused",
          "support/oidc-address-suite > carries what the provider needs, in the order of the alphabet",
        ],
      },
      oidc_client_secret: {
        says: "secret of that OAuth client",
        real: "never read back; erased by a write that leaves it out",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.2"],
        asserted: "absent from reads, sent with every write, a secret in the state, a change shows as a fingerprint",
        tests: [
          "server/jwt-config > reads with every key, and never with the secret",
          "wire secrets-jwt-config > a secret without its client",
          "contract/traps/jwt-traps > a secret that is never returned is kept as applied, and only a change of the input is a change",
          "support/oidc-login-suite > of a client with another secret is refused in the provider's words",
        ],
      },
      oidc_response_mode: {
        says: "`query` (default) or `form_post`; with namespaces `form_post` goes with `namespace_in_state` off",
        real: 'unset reads `""`; other words are a 400 in their own case',
        evidence: ["wire secrets-jwt-config", "live/oidc > Vault 1.21", "reference secrets 3.3"],
        asserted:
          "other words are refused; the default and unset are no difference; what the address says of it, and that only form_post takes a posted answer",
        tests: [
          "wire secrets-jwt-config > an unknown response mode",
          "contract/traps/jwt-traps > defaults of response mode, response types and algorithms are not written out",
          "server/jwt-login-config > oidc_response_mode, oidc_response_types, namespace_in_state: change no login with a JWT",
          "unit/rules/jwt-config > a jwt.Config with an OIDC client",
          "support/oidc-address-suite > names no response mode for a code, even where it is to be posted",
          "support/oidc-login-suite > is refused where the response mode is another",
        ],
      },
      oidc_response_types: {
        says: "`code` (default) and `id_token`, the latter with `form_post` only",
        real: "as documented; text or list, unset reads `[]`",
        evidence: ["wire secrets-jwt-config", "live/oidc > Vault 1.21", "reference secrets 3.3"],
        asserted:
          "an ID token in the query and unknown types are refused; what the address asks for, and that a code is then none",
        tests: [
          "wire secrets-jwt-config > an ID token in the query",
          "wire secrets-jwt-config > an unknown response type",
          "contract/cases/jwt-config > the order of response types",
          "support/oidc-address-suite > asks for the ID token itself, and for no code, where the configuration lists id_token",
          "support/oidc-login-suite > for an ID token takes no code",
        ],
      },
      jwks_url: {
        says: "key set that verifies signatures",
        real: "fetched when written, and again when no known key has signed",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.1"],
        asserted: "its keys verify, the one that the token names alone; a set that cannot be read is refused",
        tests: [
          "server/jwt-login-config > jwks_url: its keys verify signatures, the one that the token names by kid alone",
          "server/jwt-login-config > jwks_url: is asked again only when no known key has signed the token",
          "wire secrets-jwt-config > a key set that is not found",
        ],
      },
      jwks_ca_pem: {
        says: "PEM certificates trusted for the key set URL; else those of the system",
        real: "looked at only with `jwks_url`; unreadable is a 400",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.1"],
        asserted: "trusted for the keys, refused when unreadable",
        tests: [
          "server/jwt-login-config > jwks_ca_pem: is trusted for the keys",
          "wire secrets-jwt-config > a CA of the key set that is none",
        ],
      },
      jwt_validation_pubkeys: {
        says: "PEM keys that verify signatures without a request; text or list",
        real: "one key or certificate per element; read back without the white space around",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.2"],
        asserted: "each key verifies; forms that are taken and refused; a final newline is no difference",
        tests: [
          "server/jwt-login-config > jwt_validation_pubkeys: each of them verifies, whatever the kid",
          "server/jwt-config > public keys > %s is refused",
          "contract/traps/jwt-traps > a PEM key loses its final newline, which is no change",
        ],
      },
      bound_issuer: {
        says: "what the `iss` claim must be",
        real: "as documented, for JWTs; not looked at when people log in",
        evidence: ["wire secrets-jwt-login-keys", "reference secrets 3.4"],
        asserted: "another issuer and none are refused",
        tests: [
          "server/jwt-login-config > bound_issuer: must be the iss claim",
          "wire secrets-jwt-login-keys > bound issuer: jwtOtherIssuer",
        ],
      },
      jwt_supported_algs: {
        says: "signing algorithms; `RS256` for OIDC roles, all for JWT roles unless given",
        real: "ten asymmetric ones, in capitals; unset reads `[]`",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.1"],
        asserted:
          "shared keys and small letters are refused; all when empty, else those alone; RS256 for ID tokens unless more are agreed on",
        tests: [
          "server/jwt-login-config > jwt_supported_algs: all of them when empty, else those alone",
          "wire secrets-jwt-config > an algorithm with a shared key",
          "wire secrets-jwt-config > an algorithm in small letters",
          "support/oidc-token-suite > that is signed in a way that was not agreed on",
        ],
      },
      default_role: {
        says: "role of a login or authorization URL that names none",
        real: "kept in lower case",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.1"],
        asserted: "a login and an address without a role have this one; letter case is no difference",
        tests: [
          "server/jwt-login-config > default_role: is the role of a login that names none",
          "wire secrets-jwt-login-keys > log in as the default role",
          "contract/cases/jwt-config > letter case of the default role",
          "support/oidc-address-suite > is that of the default role where none is named",
        ],
      },
      provider_config: {
        says: "options of one provider; Azure and Google have some",
        real: "azure, gsuite, secureauth and ibmisam in Vault 1.21, kubernetes in OpenBao; secret members are not read back",
        evidence: [
          "wire secrets-jwt-config",
          "reference secrets 2.1",
          "live/availability > takes roles of session tokens, and refuses providers that it does not know, as the page says",
        ],
        asserted:
          "unknown providers and a map without one are refused; the hidden member is kept; values compare as text",
        tests: [
          "wire secrets-jwt-config > an unknown provider",
          "wire secrets-jwt-config > a provider without its name",
          "server/jwt-config > hides the service account of gsuite on read, and keeps it in the record",
          "contract/traps/jwt-traps > provider options compare as text",
        ],
      },
      namespace_in_state: {
        says: "the namespace travels in the state parameter; on for new configurations",
        real: "kept when a write leaves it out, the only field that is; null stores off",
        evidence: ["wire secrets-jwt-config", "live/oidc > Vault 1.21", "reference secrets 3.3"],
        asserted:
          "stays through a write without it, always sent by the provider; in the state or in the redirect URI, which is then compared with it",
        tests: [
          "server/jwt-config > is replaced as a whole, but namespace_in_state stays",
          "contract/traps/jwt-traps > the flag that the server keeps when it is left out is always sent",
          "support/oidc-address-suite > carries a namespace %s",
        ],
      },
    },
  },
} satisfies Sections;
