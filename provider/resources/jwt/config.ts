import * as z from "zod";
import { canonicalText, isEmpty } from "../../core/canonical";
import { defineResource, upsert } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { type Field, onlyOn, row } from "../../core/field";
import { certificatesProblem, publicKeyProblem } from "../../core/pem";
import { boolean, lowerCase, mapOf, oneOf, path, pem, setOfWords, string, stringSet } from "../../core/rows";
import { advice, needs, notTogether, onlyTheMount, rule, together } from "../../core/rules";
import { inJwtMount } from "./in-jwt-mount";

/** A key set (JWKS): its URL, and the CA certificates for the connection to it. */
export interface JwksPair {
  /** URL of the key set. */
  jwksUrl: string;
  /** PEM CA certificates that verify the connection; those of the system when unset. */
  jwksCaPem?: string;
}

/** Options of an identity provider that the server handles specially: the provider's name in `provider`, and its own options. */
export interface ProviderConfig {
  [option: string]: string | number | boolean;
}

/** Those of Vault's library for JWTs; keys that are shared secrets are not among them, and neither is `none`. */
export const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "ES256",
  "ES384",
  "ES512",
  "PS256",
  "PS384",
  "PS512",
  "EdDSA",
] as const;
const PROVIDERS = ["azure", "gsuite", "secureauth", "ibmisam", "okta", "kubernetes"];
const HIDDEN_OPTIONS = ["gsuite_service_account", "api_token"];
const SOURCES = ["jwtValidationPubkeys", "jwksUrl", "jwksPairs", "oidcDiscoveryUrl"] as const;

const fields = {
  /** Path where the auth method is mounted. @source vault/jwt */
  mount: path("jwt"),
  /** Base URL of the OIDC discovery document, without `/.well-known/…`. One of the sources of keys. @source vault/jwt config */
  oidcDiscoveryUrl: string("oidc_discovery_url"),
  /** PEM CA certificates that verify connections to the discovery URL; those of the system when unset. @source vault/jwt config */
  oidcDiscoveryCaPem: pem("oidc_discovery_ca_pem"),
  /** OAuth client ID for OIDC roles. Set it together with `oidcClientSecret`. @source vault/jwt config */
  oidcClientId: string("oidc_client_id"),
  /** OAuth client secret for OIDC roles. Set it together with `oidcClientId`. @source vault/jwt config */
  oidcClientSecret: string("oidc_client_secret"),
  /** OAuth response mode: how the identity provider sends its answer. `query` when unset. @source vault/jwt config */
  oidcResponseMode: oneOf("oidc_response_mode", ["query", "form_post"]),
  /** OAuth response types to request; `code` when unset. `id_token` needs `oidcResponseMode: "form_post"`. @source vault/jwt config */
  oidcResponseTypes: setOfWords("oidc_response_types", ["code", "id_token"]),
  /** URL of the JSON Web Key Set (JWKS) that verifies signatures. One of the sources of keys. @source vault/jwt config */
  jwksUrl: string("jwks_url"),
  /** PEM CA certificates that verify connections to the JWKS URL; those of the system when unset. @source vault/jwt config */
  jwksCaPem: pem("jwks_ca_pem"),
  /** Several JWKS URLs, each with its own CA certificates. One of the sources of keys. @source vault/jwt config */
  jwksPairs: onlyOn({ vault: "1.16.0" }, jwksPairs("jwks_pairs")),
  /** PEM public keys or certificates that verify signatures without a request. One of the sources of keys. @source vault/jwt config */
  jwtValidationPubkeys: stringSet("jwt_validation_pubkeys", pemKey()),
  /** Issuer: the value that the `iss` claim must have. @source vault/jwt config */
  boundIssuer: string("bound_issuer"),
  /** Accepted signing algorithms. When unset: RS256 for OIDC roles, all asymmetric algorithms for JWT roles. @source vault/jwt config */
  jwtSupportedAlgs: setOfWords("jwt_supported_algs", ALGORITHMS),
  /** Role of a login that names no role. The server stores it in lower case. @source vault/jwt config */
  defaultRole: lowerCase(string("default_role")),
  /** Options of an identity provider that the server handles specially. `provider` names it; the other options have the API's names. @source vault/jwt config */
  providerConfig: providerConfig("provider_config"),
  /** Pass the namespace in the OIDC `state` instead of a query parameter of the redirect URI. @source vault/jwt config */
  namespaceInState: boolean("namespace_in_state", true),
  /** Critical certificate extensions to accept although the server does not know them, as object identifiers. @source vault/jwt config */
  unsupportedCriticalCertExtensions: onlyOn({ vault: "1.18.0" }, stringSet("unsupported_critical_cert_extensions")),
  /** Host names to accept in the TLS certificate instead of the one in the URL. @source openbao/jwt config */
  overrideAllowedServerNames: onlyOn({ openbao: "2.0.0" }, stringSet("override_allowed_server_names")),
  /** Store the configuration even if the server cannot fetch the keys now. @source openbao/jwt config */
  skipJwksValidation: onlyOn({ openbao: "2.0.0" }, boolean("skip_jwks_validation")),
};

export const jwtConfig = defineResource({
  token: "jwt:Config",
  dialect: "vault",
  fields,
  id: "auth/{mount}/config",
  label: "mount",
  identity: ["mount"],
  mounted: inJwtMount,
  // The server leaves sensitive options out of its answer.
  secrets: { oidcClientSecret: "always", providerConfig: { members: HIDDEN_OPTIONS } },
  writeOnly: ["oidcClientSecret", "skipJwksValidation"],
  ...upsert("auth/{mount}/config"),
  delete: "forget",
  rules: [
    rule([...SOURCES, "providerConfig"], (values) => sourceProblem(values)),
    onlyTheMount("config", "role"),
    together("oidcClientId", "oidcClientSecret"),
    needs("oidcClientId", "oidcDiscoveryUrl"),
    notTogether("jwksCaPem", "jwksPairs"),
    notTogether("boundIssuer", "jwksPairs"),
    rule(["oidcResponseTypes", "oidcResponseMode"], ({ oidcResponseTypes, oidcResponseMode }) =>
      Array.isArray(oidcResponseTypes) && oidcResponseTypes.includes("id_token") && oidcResponseMode !== "form_post"
        ? "id_token is allowed only when oidcResponseMode is form_post"
        : undefined,
    ),
    rule(
      ["oidcDiscoveryUrl"],
      ({ oidcDiscoveryUrl }) => urlProblem(oidcDiscoveryUrl) ?? wellKnownProblem(oidcDiscoveryUrl),
    ),
    rule(["jwksUrl"], ({ jwksUrl }) => urlProblem(jwksUrl)),
    rule(["oidcDiscoveryCaPem"], ({ oidcDiscoveryCaPem }) => caProblem(oidcDiscoveryCaPem)),
    rule(["jwksCaPem"], ({ jwksCaPem }) => caProblem(jwksCaPem)),
    rule(["providerConfig"], ({ providerConfig }) => providerFailures(providerConfig)),
    advice(
      rule(["namespaceInState", "oidcResponseMode"], ({ oidcResponseMode, namespaceInState }) =>
        oidcResponseMode === "form_post" && namespaceInState !== false
          ? "should be false with form_post where namespaces are used"
          : undefined,
      ),
    ),
  ],
});

function sourceProblem(values: Readonly<Record<string, unknown>>): string | readonly Failure[] | undefined {
  const options = values["providerConfig"] as ProviderConfig | undefined;
  // With `kubernetes`, OpenBao takes the keys of its cluster: one more source.
  const own = options?.["provider"] === "kubernetes" ? ["providerConfig"] : [];
  const set = [...SOURCES.filter((key) => !isEmpty(values[key])), ...own];
  const [property = "", ...others] = set;
  if (others.length > 0)
    return [
      { property, reason: `cannot be set together with ${others.join(" and ")}: exactly one source of keys must be` },
    ];
  return property === "" ? `must be set, or one of ${SOURCES.slice(1).join(", ")}` : undefined;
}

function urlProblem(url: unknown): string | undefined {
  if (isEmpty(url)) return undefined;
  return URL.canParse(String(url)) && /^https?:/.test(String(url)) ? undefined : "must be an http or https URL";
}

function wellKnownProblem(url: unknown): string | undefined {
  return String(url).includes("/.well-known/")
    ? "must be the issuer's base URL, without the well-known component"
    : undefined;
}

function caProblem(ca: unknown): string | undefined {
  return isEmpty(ca) ? undefined : certificatesProblem(String(ca));
}

function pemKey(): z.ZodType<string> {
  return z.string().check(
    z.superRefine((value, context) => {
      const problem = publicKeyProblem(value);
      if (problem) context.addIssue({ code: "custom", message: problem });
    }),
  );
}

function providerFailures(config: unknown) {
  if (isEmpty(config)) return undefined;
  const name = (config as ProviderConfig)["provider"];
  if (name === undefined)
    return [{ property: "providerConfig.provider", reason: `is required; one of ${PROVIDERS.join(", ")}` }];
  return PROVIDERS.includes(String(name))
    ? undefined
    : [{ property: "providerConfig.provider", reason: `must be one of ${PROVIDERS.join(", ")}` }];
}

function providerConfig(wire: string): Field<ProviderConfig, false> {
  const option = z.union([z.string(), z.number(), z.boolean()], { error: "must be a string, number or boolean" });
  return row<ProviderConfig>({
    place: "body",
    wire,
    schema: mapOf(option, "must be a map of options"),
    empty: {},
    canonical: (config) =>
      Object.fromEntries(Object.entries(config ?? {}).map(([name, value]) => [name, String(value)])),
  });
}

function jwksPairs(wire: string): Field<JwksPair[], false> {
  const shape = {
    jwksUrl: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
    jwksCaPem: z
      .string({ error: "must be a string" })
      .refine((value) => !caProblem(value), { error: "is not PEM: expected `-----BEGIN CERTIFICATE-----`" })
      .optional(),
  };
  const pair = z.strictObject(shape, {
    error: ({ code }) => (code === "invalid_type" ? "must be { jwksUrl, jwksCaPem }" : undefined),
  });
  return row<JwksPair[]>({
    place: "body",
    wire,
    // zod's optional member may be `undefined`; `exactOptionalPropertyTypes` knows only an absent one.
    schema: z.array(pair, { error: "must be a list of { jwksUrl, jwksCaPem }" }) as unknown as z.ZodType<JwksPair[]>,
    empty: [],
    encode: (pairs) =>
      pairs.map(({ jwksUrl, jwksCaPem }) => ({
        jwks_url: jwksUrl,
        ...(jwksCaPem === undefined ? {} : { jwks_ca_pem: jwksCaPem }),
      })),
    decode(answer) {
      const pairs = (answer ?? []) as { jwks_url: string; jwks_ca_pem?: string }[];
      return pairs.map(({ jwks_url, jwks_ca_pem }) => ({
        jwksUrl: jwks_url,
        ...(jwks_ca_pem ? { jwksCaPem: jwks_ca_pem } : {}),
      }));
    },
    canonical: (pairs) =>
      (pairs ?? []).map(({ jwksUrl, jwksCaPem }) => canonicalText([jwksUrl, jwksCaPem?.trim() ?? ""])).sort(),
  });
}
