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
import { advice, atLeastOne, isZero, noDoubleDots, notAbove, onlyWhen, rule, when } from "../../core/rules";

/** A value that a claim can be bound to. */
export type ClaimValue = string | number | boolean;

/** Claim name, or JSON pointer, to the value or values that are accepted. */
export interface BoundClaims {
  [claim: string]: ClaimValue | ClaimValue[];
}

const uri = z
  .string()
  .refine((value) => URL.canParse(value), { error: "must be a URI such as https://app.example.com/oidc/callback" });
const BOUNDS = ["boundAudiences", "tokenBoundCidrs", "boundSubject", "boundClaims"] as const;
const isJwt = (roleType: unknown) => roleType === "jwt";

const fields = {
  /** Path where the auth method is mounted. @source vault/jwt */
  mount: path("jwt"),
  /** Role name; the server keeps it in lower case. @source vault/jwt role */
  name: lowerCase(
    required(segment(/^\w+(?:[-.]+\w+)*$/, "letters, digits and underscores, with dots or hyphens inside")),
  ),
  /** Login flow that the role serves: `oidc` for browsers, `jwt` for tokens. @source vault/jwt role */
  roleType: oneOf("role_type", ["oidc", "jwt"], "oidc"),
  /** Accepted `aud` claims; any one match suffices. A token with an audience is refused when none is bound. @source vault/jwt role */
  boundAudiences: stringSet("bound_audiences"),
  /** Claim that identifies the user; its value must be a string. @source vault/jwt role */
  userClaim: required(string("user_claim")),
  /** Read `userClaim` as a JSON pointer. @source vault/jwt role */
  userClaimJsonPointer: boolean("user_claim_json_pointer"),
  /** Leeway added to all time claims, in seconds or as a duration: 0 means 60 seconds, -1 none. `jwt` roles only. @source vault/jwt role */
  clockSkewLeeway: duration("clock_skew_leeway", { signed: true }),
  /** Leeway that stands in for a missing `exp` claim, in seconds or as a duration: 0 means 150 seconds, -1 none. `jwt` roles only. @source vault/jwt role */
  expirationLeeway: duration("expiration_leeway", { signed: true }),
  /** Leeway that stands in for a missing `nbf` claim, in seconds or as a duration: 0 means 150 seconds, -1 none. `jwt` roles only. @source vault/jwt role */
  notBeforeLeeway: duration("not_before_leeway", { signed: true }),
  /** Value that the `sub` claim must have. @source vault/jwt role */
  boundSubject: string("bound_subject"),
  /** Claim name, or JSON pointer, to accepted values: a string, number or boolean, or a list of them. @source vault/jwt role */
  boundClaims: boundClaims("bound_claims"),
  /** Comparison of `boundClaims`: `string` is exact, in `glob` a `*` matches any characters. @source vault/jwt role */
  boundClaimsType: oneOf("bound_claims_type", ["string", "glob"], "string"),
  /** Claim that holds the user's groups, a list of strings; a JSON pointer is allowed. @source vault/jwt role */
  groupsClaim: string("groups_claim"),
  /** Claim name, or JSON pointer, to the metadata field that receives it. @source vault/jwt role */
  claimMappings: stringMap("claim_mappings"),
  /** Scopes requested in the OIDC flow; `openid` is always included by the server. @source vault/jwt role */
  oidcScopes: stringSet("oidc_scopes"),
  /** Redirect URIs that an OIDC login may name. Required for `oidc` roles. @source vault/jwt role */
  allowedRedirectUris: stringSet("allowed_redirect_uris", uri),
  /** Log received tokens and claims at debug level; not for production. @source vault/jwt role */
  verboseOidcLogging: boolean("verbose_oidc_logging"),
  /** Longest time since the user last authenticated with the provider, in seconds or as a duration; 0 is no limit. @source vault/jwt role */
  maxAge: duration("max_age"),
  /** Lifetime of issued tokens, in seconds or as a duration; 0 is the mount's default. @source vault/jwt role */
  tokenTtl: duration("token_ttl"),
  /** Longest lifetime of issued tokens, renewals included, in seconds or as a duration; 0 is the mount's maximum. @source vault/jwt role */
  tokenMaxTtl: duration("token_max_ttl"),
  /** Policies of issued tokens. @source vault/jwt role */
  tokenPolicies: stringSet("token_policies"),
  /** Address blocks that may log in; the token is tied to them too. @source vault/jwt role */
  tokenBoundCidrs: cidrSet("token_bound_cidrs"),
  /** Hard cap of a token's lifetime, in seconds or as a duration, whatever the other limits say; 0 is none. @source vault/jwt role */
  tokenExplicitMaxTtl: duration("token_explicit_max_ttl"),
  /** Leave the `default` policy out of issued tokens. @source vault/jwt role */
  tokenNoDefaultPolicy: boolean("token_no_default_policy"),
  /** How often an issued token may be used; 0 is unlimited, and required for tokens that create child tokens. @source vault/jwt role */
  tokenNumUses: integer("token_num_uses", { min: 0 }),
  /** Period of issued tokens, in seconds or as a duration; such tokens can be renewed for ever. 0 is none. @source vault/jwt role */
  tokenPeriod: duration("token_period"),
  /** Kind of issued tokens; `default` is the mount's tuned kind. @source vault/jwt role */
  tokenType: oneOf("token_type", ["default", "service", "batch"], "default"),
  /** Metadata of the entity alias that a login creates. @source vault/jwt role */
  aliasMetadata: onlyOn({ vault: "2.0.0", vaultEnterprise: "1.21.0" }, stringMap("alias_metadata")),
  /** Who receives the OIDC callback: the client, the server, or a polling device. @source openbao/jwt role */
  callbackMode: onlyOn({ openbao: "2.0.0" }, oneOf("callback_mode", ["client", "direct", "device"], "client")),
  /** Seconds between polls of the `direct` and `device` callback modes. @source openbao/jwt role */
  pollInterval: onlyOn({ openbao: "2.0.0" }, integer("poll_interval", { min: 0 })),
  /** Names of the provider's token fields that become login metadata. @source openbao/jwt role */
  oauth2Metadata: onlyOn({ openbao: "2.0.0" }, stringSet("oauth2_metadata")),
  /** Treat `tokenPolicies` as templates over the token's claims. @source openbao/jwt role */
  tokenPoliciesTemplateClaims: onlyOn({ openbao: "2.0.0" }, boolean("token_policies_template_claims")),
  /** Tie issued tokens to the address that logged in. @source openbao/jwt role */
  tokenStrictlyBindIp: onlyOn({ openbao: "2.0.0" }, boolean("token_strictly_bind_ip")),
  /** Skip the confirmation page of direct callbacks. @source openbao/jwt role */
  oidcDisableConfirmation: onlyOn({ openbao: "2.5.0" }, boolean("oidc_disable_confirmation")),
};

export const jwtRole = defineResource({
  token: "jwt:Role",
  dialect: "vault",
  fields,
  id: "auth/{mount}/role/{name}",
  label: "name",
  identity: ["mount", "name"],
  ...upsert("auth/{mount}/role/{name}"),
  rules: [
    noDoubleDots("name"),
    when("roleType", isJwt, atLeastOne(...BOUNDS)),
    // The document asks for it on every role; the servers let any user of the provider in on such an oidc role.
    advice(when("roleType", (type) => !isJwt(type), atLeastOne(...BOUNDS))),
    advice(
      rule(["boundAudiences", "roleType"], ({ roleType, boundAudiences }) =>
        isJwt(roleType) && isEmpty(boundAudiences)
          ? "tokens that carry an audience will be refused: the document asks for bound audiences on jwt roles"
          : undefined,
      ),
    ),
    rule(["allowedRedirectUris", "roleType"], ({ roleType, allowedRedirectUris }) =>
      !isJwt(roleType) && isEmpty(allowedRedirectUris) ? "must be set when roleType is oidc or not set" : undefined,
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
          "a number in a list claim never matches",
        ),
      ),
    ),
    advice(
      rule(["tokenPolicies"], ({ tokenPolicies }) =>
        Array.isArray(tokenPolicies) && tokenPolicies.includes("root")
          ? "the server refuses logins that would get the root policy"
          : undefined,
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
    // The server compares `x` and `["x"]` alike, so they are the same here.
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
        return { property: at(claim), reason: "must not be `role`: that metadata field is the server's own" };
      const first = entries.findIndex(([, other]) => other === target);
      return first < index
        ? { property: at(claim), reason: "maps to a metadata field that another claim already maps to" }
        : undefined;
    })
    .filter((failure) => failure !== undefined);
}

function claimFailures(claims: unknown, isBad: (value: unknown, inList: boolean) => boolean, reason: string) {
  return Object.entries((claims ?? {}) as BoundClaims)
    .filter(([, value]) => [value].flat().some((item) => isBad(item, Array.isArray(value))))
    .map(([claim]) => ({ property: `boundClaims[${JSON.stringify(claim)}]`, reason }));
}
