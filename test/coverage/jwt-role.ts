import type { Sections } from "./section.ts";

/** JWT/OIDC auth method: whom a role lets in. */
export const jwtRole = {
  "jwt: Role": {
    of: ["jwtRole", "jwtGetRole"],
    evidence: ["wire secrets-jwt-login-claims", "reference secrets 3.1"],
    rows: {
      "a bound value": {
        says: "at least one bound value must be set; they hold for who logs in",
        real: "asked of `jwt` roles only: audiences, CIDRs, subject or claims",
        evidence: ["wire secrets-jwt-role-refused", "reference secrets 2.3"],
        asserted: "none at all is refused, any one suffices",
      },
      name: {
        says: "part of the path",
        real: "kept and found in lower case; words, dots and dashes between word characters",
        evidence: ["wire secrets-jwt-role", "reference secrets 1.1"],
        asserted: "any case reads it, wrong forms are no name, letter case is no difference",
      },
      role_type: {
        says: "`oidc` (default) or `jwt`",
        real: "an update without it falls back to `oidc`",
        evidence: ["wire secrets-jwt-role", "wire secrets-jwt-role-refused", "reference secrets 2.3"],
        asserted: "other words are refused; always sent; an `oidc` role takes no JWT",
      },
      bound_audiences: {
        says: "any one of them must be an `aud`; asked of `jwt` roles",
        real: "not required beside another constraint; without any, a token must not name an audience",
        asserted: "one match suffices; a role without them warns in the check, and refuses tokens that name one",
      },
      user_claim: {
        says: "required; the claim that names the user, a string",
        real: "as documented; looked up literally unless it is said to be a pointer",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "refused when missing; at login a missing or other value is refused",
      },
      clock_skew_leeway: {
        says: "leeway for all claims; 60 seconds when 0, none when -1",
        real: "holds for `exp`, `nbf` and `iat`; 0 reads 0",
        evidence: ["wire secrets-jwt-login-times", "reference secrets 3.1"],
        asserted: "the borders of each claim with a leeway, the default and none",
      },
      expiration_leeway: {
        says: "leeway for `exp`; 150 seconds when 0, none when -1",
        real: "only makes an end for tokens without `exp`; does nothing where there is one",
        evidence: ["wire secrets-jwt-login-times", "reference secrets 3.1"],
        asserted: "the life of a token without an end; no effect on one that has it",
      },
      not_before_leeway: {
        says: "leeway for `nbf`; 150 seconds when 0, none when -1",
        real: "only makes a beginning for tokens with nothing but `exp`",
        evidence: ["wire secrets-jwt-login-times", "reference secrets 3.1"],
        asserted: "how long before its end such a token is valid",
      },
      bound_subject: {
        says: "what `sub` must be",
        evidence: ["wire secrets-jwt-login-claims"],
        asserted: "another subject, another case and none are refused",
      },
      bound_claims: {
        says: "claims and the values allowed for them; names may be JSON pointers",
        real: "texts, numbers and flags, alone or in lists; one common element suffices, types never mix",
        asserted: "every pairing of kinds, pointers, missing claims; one value is the same as a list of it",
      },
      bound_claims_type: {
        says: "`string` (default) for exact values, `glob` where a star stands for anything",
        real: "an update without it falls back to `string`; globs must be texts",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-login-claims", "reference secrets 2.3"],
        asserted: "matching of both types, refused words and globs that are no texts, always sent",
      },
      groups_claim: {
        says: "claim with the groups, a list of strings; may be a JSON pointer",
        real: "one string alone is taken too; empty ones are skipped",
        asserted: "lists, one text, pointers; objects and numbers are refused",
      },
      claim_mappings: {
        says: "from claims, also by JSON pointer, to names of metadata",
        real: "`role` is the server's own, one name is mapped to once; missing claims are skipped",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-login-claims", "reference secrets 2.3"],
        asserted: "metadata of token and alias; reserved and repeated names and values that are no text are refused",
      },
      oidc_scopes: {
        says: "scopes asked of the provider; `openid` always among them",
        real: "`openid` is not shown on read",
        evidence: ["wire secrets-jwt-role", "reference secrets 3.3"],
        asserted: "read as written; openid first and once in the address; a claim needs its scope",
      },
      allowed_redirect_uris: {
        says: "required; where an OIDC login may lead back to",
        real: "required of `oidc` roles only; ports of loopback addresses do not count, letter case of other hosts does not",
        evidence: ["wire secrets-jwt-role-refused", "reference secrets 3.3"],
        asserted: "an `oidc` role without any is refused; which redirects get an address",
      },
      verbose_oidc_logging: {
        says: "logs tokens and claims; not for production",
        real: "every write while it is on answers 200 with a warning instead of 204",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.3"],
        asserted: "the warning comes with every write and is no failure",
      },
      max_age: {
        says: "seconds since the last active login at the provider; sent along when set",
        real: "null is ignored; 0 clears it",
        evidence: ["wire secrets-jwt-role", "reference secrets 3.4"],
        asserted:
          "spellings, cleared with 0, negative ones refused; in the address, and held against the time of the login",
      },
    },
  },
} satisfies Sections;
