import * as z from "zod";
import { canonicalText, isEmpty, setOf } from "../../core/canonical";
import { defineResource, upsert } from "../../core/definition";
import { type Field, onlyOn, required, row } from "../../core/field";
import {
  boolean,
  cidrSet,
  duration,
  integer,
  lowerCase,
  mapOf,
  oneOf,
  path,
  segment,
  string,
  stringMap,
  stringSet,
} from "../../core/rows";
import {
  advice,
  asPolicyNames,
  atLeastOne,
  isZero,
  noDoubleDots,
  notAbove,
  onlyTheMount,
  onlyWhen,
  rule,
  when,
} from "../../core/rules";
import { inJwtMount } from "./in-jwt-mount";

/** A value that a claim can be bound to. */
export type ClaimValue = string | number | boolean;

/** Claims, by name or JSON pointer, and the value or values that each may have. */
export interface BoundClaims {
  [claim: string]: ClaimValue | ClaimValue[];
}

const uri = z
  .string()
  .refine((value) => URL.canParse(value), { error: "must be a URI such as https://app.example.com/oidc/callback" });
const RESTRICTING = ["tokenBoundCidrs", "boundSubject", "boundClaims"] as const;
const BOUNDS = ["boundAudiences", ...RESTRICTING] as const;
const isJwt = (roleType: unknown) => roleType === "jwt";

const fields = {
  /** Path where the auth method is mounted. @source vault/jwt */
  mount: path("jwt"),
  /** Role name. The server stores it in lower case. @source vault/jwt role */
  name: lowerCase(
    required(segment(/^\w+(?:[-.]+\w+)*$/, "letters, digits and underscores, with dots or hyphens inside")),
  ),
  /** Kind of login: `oidc` in a browser, `jwt` with a signed token. @source vault/jwt role */
  roleType: oneOf("role_type", ["oidc", "jwt"], "oidc"),
  /** Accepted audiences; one of them must be in the `aud` claim. When unset, a token that has an `aud` claim is refused. @source vault/jwt role */
  boundAudiences: stringSet("bound_audiences"),
  /** Claim that identifies the user. Its value must be a string. @source vault/jwt role */
  userClaim: required(string("user_claim")),
  /** Read `userClaim` as a JSON pointer. @source vault/jwt role */
  userClaimJsonPointer: boolean("user_claim_json_pointer"),
  /** Tolerance for the server's clock in the check of all time claims, in seconds or as a duration: 0 means 60 seconds, -1 none. Only for `jwt` roles. @source vault/jwt role */
  clockSkewLeeway: duration("clock_skew_leeway", { signed: true }),
  /** Validity of a token without an `exp` claim, counted from its `iat` or `nbf` claim, in seconds or as a duration: 0 means 150 seconds, -1 none. Only for `jwt` roles. @source vault/jwt role */
  expirationLeeway: duration("expiration_leeway", { signed: true }),
  /** Validity of a token with neither `nbf` nor `iat`, counted back from its `exp` claim, in seconds or as a duration: 0 means 150 seconds, -1 none. Only for `jwt` roles. @source vault/jwt role */
  notBeforeLeeway: duration("not_before_leeway", { signed: true }),
  /** Subject: the value that the `sub` claim must have. @source vault/jwt role */
  boundSubject: string("bound_subject"),
  /** Claims that a token must have, by name or JSON pointer, and the accepted values: a string, number or boolean, or a list of them. @source vault/jwt role */
  boundClaims: boundClaims("bound_claims"),
  /** How `boundClaims` are compared: `string` exactly, `glob` with `*` for any characters. @source vault/jwt role */
  boundClaimsType: oneOf("bound_claims_type", ["string", "glob"], "string"),
  /** Claim that lists the user's groups, by name or JSON pointer. @source vault/jwt role */
  groupsClaim: string("groups_claim"),
  /** Claims to copy into the metadata of a login: claim name or JSON pointer to metadata field. @source vault/jwt role */
  claimMappings: stringMap("claim_mappings"),
  /** Scopes to request in the OIDC flow. The server always adds `openid`. @source vault/jwt role */
  oidcScopes: stringSet("oidc_scopes"),
  /** Redirect URIs that an OIDC login may use. Required for `oidc` roles. @source vault/jwt role */
  allowedRedirectUris: stringSet("allowed_redirect_uris", uri),
  /** Log received tokens and claims at debug level. Not for production. @source vault/jwt role */
  verboseOidcLogging: boolean("verbose_oidc_logging"),
  /** Longest time since the user last authenticated at the identity provider, in seconds or as a duration; 0 is no limit. @source vault/jwt role */
  maxAge: duration("max_age"),
  /** Lifetime of issued tokens, in seconds or as a duration; 0 is the mount's default. @source vault/jwt role */
  tokenTtl: duration("token_ttl"),
  /** Longest lifetime of issued tokens, renewals included, in seconds or as a duration; 0 is the mount's maximum. @source vault/jwt role */
  tokenMaxTtl: duration("token_max_ttl"),
  /** Policies of issued tokens. @source vault/jwt role */
  tokenPolicies: stringSet("token_policies"),
  /** IP addresses and blocks that may log in and use the token. @source vault/jwt role */
  tokenBoundCidrs: cidrSet("token_bound_cidrs"),
  /** Longest lifetime of a token, in seconds or as a duration, even if another limit would allow a renewal; 0 is no limit. @source vault/jwt role */
  tokenExplicitMaxTtl: duration("token_explicit_max_ttl"),
  /** Leave the `default` policy out of issued tokens. @source vault/jwt role */
  tokenNoDefaultPolicy: boolean("token_no_default_policy"),
  /** How often an issued token may be used; 0 is no limit. A token that creates child tokens needs 0. @source vault/jwt role */
  tokenNumUses: integer("token_num_uses", { min: 0 }),
  /** Period of issued tokens, in seconds or as a duration. A periodic token can be renewed without end. 0 is no period. @source vault/jwt role */
  tokenPeriod: duration("token_period"),
  /** Type of issued tokens; `default` is the type that the mount is tuned to. @source vault/jwt role */
  tokenType: oneOf("token_type", ["default", "service", "batch"], "default"),
  /** Metadata of the entity alias that a login creates. @source vault/jwt role */
  aliasMetadata: onlyOn({ vault: "2.0.0", vaultEnterprise: "1.21.0" }, stringMap("alias_metadata")),
  /** Who receives the OIDC callback: `client`, `direct` for the server, `device` for nobody (device flow). @source openbao/jwt role */
  callbackMode: onlyOn({ openbao: "2.0.0" }, oneOf("callback_mode", ["client", "direct", "device"], "client")),
  /** Seconds between polls of the `direct` and `device` callback modes. @source openbao/jwt role */
  pollInterval: onlyOn({ openbao: "2.0.0" }, integer("poll_interval", { min: 0 })),
  /** Tokens of the identity provider to put into the metadata of a login: `access_token`, `id_token` or `refresh_token`. @source openbao/jwt role */
  oauth2Metadata: onlyOn({ openbao: "2.0.0" }, stringSet("oauth2_metadata")),
  /** Read `tokenPolicies` as templates that are filled with the claims of the token. @source openbao/jwt role */
  tokenPoliciesTemplateClaims: onlyOn({ openbao: "2.0.0" }, boolean("token_policies_template_claims")),
  /** Bind an issued token to the IP address of its login. @source openbao/jwt role */
  tokenStrictlyBindIp: onlyOn({ openbao: "2.0.0" }, boolean("token_strictly_bind_ip")),
  /** Skip the confirmation page of a `direct` callback. @source openbao/jwt role */
  oidcDisableConfirmation: onlyOn({ openbao: "2.5.0" }, boolean("oidc_disable_confirmation")),
};

const OIDC_NEEDS = 'must be set when roleType is oidc or not set; for logins of machines set roleType: "jwt"';

export const jwtRole = defineResource({
  token: "jwt:Role",
  dialect: "vault",
  fields,
  id: "auth/{mount}/role/{name}",
  label: "name",
  identity: ["mount", "name"],
  mounted: inJwtMount,
  ...upsert("auth/{mount}/role/{name}"),
  createsApart: { vault: "0.10.0", openbao: "2.0.0" },
  rules: [
    noDoubleDots("name"),
    when("roleType", isJwt, atLeastOne(...BOUNDS)),
    // The servers accept an oidc role without a bound, and then let every user of the identity provider in. The audience of
    // such a login is always the client's id.
    advice(
      rule(["tokenPolicies", "roleType", ...RESTRICTING], ({ tokenPolicies, roleType, ...values }) =>
        !isJwt(roleType) && !isEmpty(tokenPolicies) && RESTRICTING.every((key) => isEmpty(values[key]))
          ? `go to every user of the identity provider, as the role restricts nobody: set one of ${RESTRICTING.join(", ")}, or give them to an identity.Group instead`
          : undefined,
      ),
    ),
    advice(
      rule(["boundAudiences", "roleType", ...BOUNDS], ({ roleType, boundAudiences, ...values }) =>
        isJwt(roleType) && isEmpty(boundAudiences) && BOUNDS.some((key) => !isEmpty(values[key]))
          ? "is not set: the server refuses every token that has an `aud` claim"
          : undefined,
      ),
    ),
    rule(["allowedRedirectUris", "roleType"], ({ roleType, allowedRedirectUris }) =>
      !isJwt(roleType) && isEmpty(allowedRedirectUris) ? OIDC_NEEDS : undefined,
    ),
    advice(onlyWhen(["clockSkewLeeway", "expirationLeeway", "notBeforeLeeway"], "roleType", ["jwt"])),
    notAbove("tokenTtl", "tokenMaxTtl"),
    when(
      "tokenType",
      (type) => type === "batch",
      rule(["tokenPeriod"], ({ tokenPeriod }) => zeroUnless(tokenPeriod)),
    ),
    when(
      "tokenType",
      (type) => type === "batch",
      rule(["tokenNumUses"], ({ tokenNumUses }) => zeroUnless(tokenNumUses)),
    ),
    rule(["tokenStrictlyBindIp", "tokenBoundCidrs"], ({ tokenStrictlyBindIp, tokenBoundCidrs }) =>
      tokenStrictlyBindIp === true && !isEmpty(tokenBoundCidrs) ? "cannot be set beside tokenBoundCidrs" : undefined,
    ),
    rule(["claimMappings"], ({ claimMappings }) => mappingFailures(claimMappings)),
    rule(["boundClaims", "boundClaimsType"], ({ boundClaims, boundClaimsType }) =>
      boundClaimsType === "glob"
        ? claimFailures(
            boundClaims,
            (value) => typeof value !== "string",
            "must be a string when boundClaimsType is glob",
          )
        : undefined,
    ),
    advice(
      rule(["boundClaims"], ({ boundClaims }) =>
        claimFailures(
          boundClaims,
          (value, inList) => inList && typeof value === "number",
          "has a number in a list: it never matches",
        ),
      ),
    ),
    advice(
      rule(["boundSubject"], ({ boundSubject }) =>
        String(boundSubject ?? "").includes("*")
          ? 'has a *, which is a plain character there: to match a pattern, bind `sub` in boundClaims, with boundClaimsType: "glob"'
          : undefined,
      ),
    ),
    advice(
      rule(["boundClaims", "boundClaimsType"], ({ boundClaims, boundClaimsType }) =>
        boundClaimsType === "glob"
          ? undefined
          : claimFailures(
              boundClaims,
              (value) => String(value).includes("*"),
              'has a *, which is a plain character: to match a pattern, set boundClaimsType: "glob"',
            ),
      ),
    ),
    advice(
      rule(["tokenPolicies"], ({ tokenPolicies }) =>
        Array.isArray(tokenPolicies) && tokenPolicies.includes("root")
          ? "has root: the server refuses logins that would get the root policy"
          : undefined,
      ),
    ),
    asPolicyNames("tokenPolicies"),
    onlyTheMount("role", "config"),
    advice(
      rule(["boundClaims"], ({ boundClaims }) =>
        Object.entries((boundClaims ?? {}) as BoundClaims)
          .filter(([, value]) => isEmpty(value))
          .map(([claim]) => ({ property: boundClaim(claim), reason: "has no accepted value: no token can log in" })),
      ),
    ),
    // The servers compare the whole text with that of a login.
    advice(
      rule(["allowedRedirectUris"], ({ allowedRedirectUris }) =>
        (Array.isArray(allowedRedirectUris) ? allowedRedirectUris : []).flatMap((each, index) =>
          /^[\w.-]+:\d/.test(String(each))
            ? [
                {
                  property: `allowedRedirectUris[${index}]`,
                  reason: `is ${JSON.stringify(each)}, without a scheme: no login has such an address; begin it with http:// or https://`,
                },
              ]
            : [],
        ),
      ),
    ),
  ],
});

function boundClaims(wire: string): Field<BoundClaims, false> {
  const value = z.union([z.string(), z.number(), z.boolean()]);
  const values = z.union([value, z.array(value)], { error: "must be a string, number or boolean, or a list of them" });
  return row<BoundClaims>({
    place: "body",
    wire,
    schema: mapOf(values, "must be a map of claims to values"),
    empty: {},
    // To the server, `x` and `["x"]` are the same.
    canonical: (claims) =>
      Object.fromEntries(
        Object.entries(claims ?? {}).map(([claim, value]) => [claim, setOf([value].flat().map(canonicalText))]),
      ),
  });
}

function zeroUnless(value: unknown): string | undefined {
  return isEmpty(value) || isZero(value) ? undefined : "must not be set when tokenType is batch";
}

function mappingFailures(mappings: unknown) {
  const entries = Object.entries((mappings ?? {}) as Record<string, string>);
  const at = (claim: string) => `claimMappings[${JSON.stringify(claim)}]`;
  return entries
    .map(([claim, target], index) => {
      if (target === "role")
        return { property: at(claim), reason: "must not be `role`: the server sets that metadata field itself" };
      const first = entries.findIndex(([, other]) => other === target);
      return first < index
        ? { property: at(claim), reason: "maps to a metadata field that another claim maps to" }
        : undefined;
    })
    .filter((failure) => failure !== undefined);
}

function claimFailures(claims: unknown, isBad: (value: unknown, inList: boolean) => boolean, reason: string) {
  return Object.entries((claims ?? {}) as BoundClaims)
    .filter(([, value]) => [value].flat().some((item) => isBad(item, Array.isArray(value))))
    .map(([claim]) => ({ property: boundClaim(claim), reason }));
}

function boundClaim(claim: string): string {
  return `boundClaims[${JSON.stringify(claim)}]`;
}
