import type { Sections } from "./section.ts";

/** Document 1: whom a role lets in. */
export const jwtRole = {
  "1 Role": {
    of: ["jwtRole", "jwtGetRole"],
    rows: {
      "a bound value": {
        says: "at least one bound value must be set; they hold for who logs in",
        real: "asked of `jwt` roles only: audiences, CIDRs, subject or claims",
        evidence: ["wire secrets-jwt-role-refused", "reference secrets 2.3"],
        asserted: "none at all is refused, any one suffices",
        tests: [
          "wire secrets-jwt-role-refused > nothing that is bound",
          "server/jwt-roles > but not with any one constraint: %j",
          "unit/rules/jwt-role > a jwt.Role for tokens",
        ],
      },
      name: {
        says: "part of the path",
        real: "kept and found in lower case; words, dots and dashes between word characters",
        evidence: ["wire secrets-jwt-role", "reference secrets 1.1"],
        asserted: "any case reads it, wrong forms are no name, letter case is no difference",
        tests: [
          "server/jwt-role-names > names are kept in lower case and found in any",
          "wire secrets-jwt-role > read by the name in capitals",
          "contract/traps/jwt-traps > names are kept in lower case",
        ],
      },
      role_type: {
        says: "`oidc` (default) or `jwt`",
        real: "an update without it falls back to `oidc`",
        evidence: ["wire secrets-jwt-role", "wire secrets-jwt-role-refused", "reference secrets 2.3"],
        asserted: "other words are refused; always sent; an `oidc` role takes no JWT",
        tests: [
          "wire secrets-jwt-role-refused > an unknown type of role",
          "server/jwt-login-role > role_type: a role of type oidc logs nobody in with a JWT",
          "server/jwt-roles > keeps what is omitted, but for the two types, which fall back",
        ],
      },
      bound_audiences: {
        says: "any one of them must be an `aud`; asked of `jwt` roles",
        real: "not required beside another constraint; without any, a token must not name an audience",
        evidence: ["wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "one match suffices; a role without them warns in the check, and refuses tokens that name one",
        tests: [
          "server/jwt-login-role > bound_audiences: any one match suffices",
          "server/jwt-login-role > bound_audiences: without any, a token must not name one",
          "wire secrets-jwt-login-claims > an audience, and none is bound",
          "unit/rules/jwt-role > a jwt.Role for tokens",
          "support/oidc-token-suite > an ID token that is posted",
        ],
      },
      user_claim: {
        says: "required; the claim that names the user, a string",
        real: "as documented; looked up literally unless it is said to be a pointer",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "refused when missing; at login a missing or other value is refused",
        tests: [
          "wire secrets-jwt-role-refused > no user claim",
          "server/jwt-login-role > user_claim: must be there and a string",
          "wire secrets-jwt-login-claims > the user claim is a number",
          "support/oidc-login-suite > is refused by %s",
        ],
      },
      clock_skew_leeway: {
        says: "leeway for all claims; 60 seconds when 0, none when -1",
        real: "holds for `exp`, `nbf` and `iat`; 0 reads 0",
        evidence: ["wire secrets-jwt-login-times", "reference secrets 3.1"],
        asserted: "the borders of each claim with a leeway, the default and none",
        tests: [
          "server/jwt-login-role > clock_skew_leeway %s: holds for exp, nbf and iat",
          "wire secrets-jwt-login-times > expired within the skew that is the default",
          "wire secrets-jwt-login-times > expired, and no skew is allowed",
        ],
      },
      expiration_leeway: {
        says: "leeway for `exp`; 150 seconds when 0, none when -1",
        real: "only makes an end for tokens without `exp`; does nothing where there is one",
        evidence: ["wire secrets-jwt-login-times", "reference secrets 3.1"],
        asserted: "the life of a token without an end; no effect on one that has it",
        tests: [
          "server/jwt-login-role > expiration_leeway %s: is the life of a token without exp",
          "server/jwt-login-role > expiration_leeway and not_before_leeway do nothing for a token that has the claims",
          "wire secrets-jwt-login-times > without an end, and issued before the leeway",
        ],
      },
      not_before_leeway: {
        says: "leeway for `nbf`; 150 seconds when 0, none when -1",
        real: "only makes a beginning for tokens with nothing but `exp`",
        evidence: ["wire secrets-jwt-login-times", "reference secrets 3.1"],
        asserted: "how long before its end such a token is valid",
        tests: [
          "server/jwt-login-role > not_before_leeway %s: is how long before its exp a token of nothing else is valid",
          "wire secrets-jwt-login-times > only an end beyond the leeway",
        ],
      },
      bound_subject: {
        says: "what `sub` must be",
        real: "as documented",
        evidence: ["wire secrets-jwt-login-claims"],
        asserted: "another subject, another case and none are refused",
        tests: [
          "server/jwt-login-role > bound_subject: the sub claim must equal it",
          "wire secrets-jwt-login-claims > the subject is another one",
        ],
      },
      bound_claims: {
        says: "claims and the values allowed for them; names may be JSON pointers",
        real: "texts, numbers and flags, alone or in lists; one common element suffices, types never mix",
        evidence: ["wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "every pairing of kinds, pointers, missing claims; one value is the same as a list of it",
        tests: [
          "server/jwt-login-role > bound_claims: %s",
          "wire secrets-jwt-login-claims > a bound pointer",
          "wire secrets-jwt-login-claims > the bound claim is missing",
          "contract/traps/jwt-traps > bound claims keep their types, and one value is the same as a list of it",
        ],
      },
      bound_claims_type: {
        says: "`string` (default) for exact values, `glob` where a star stands for anything",
        real: "an update without it falls back to `string`; globs must be texts",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-login-claims", "reference secrets 2.3"],
        asserted: "matching of both types, refused words and globs that are no texts, always sent",
        tests: [
          "server/jwt-login-role > bound_claims_type glob: %s",
          "server/jwt-login-role > bound_claims_type string: a star is a star",
          "wire secrets-jwt-role-refused > a glob that is a number",
          "wire secrets-jwt-role-refused > an unknown type of claims",
        ],
      },
      groups_claim: {
        says: "claim with the groups, a list of strings; may be a JSON pointer",
        real: "one string alone is taken too; empty ones are skipped",
        evidence: ["wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "lists, one text, pointers; objects and numbers are refused",
        tests: [
          "server/jwt-login-role > groups_claim: must hold strings, one of them alone or a list",
          "wire secrets-jwt-login-claims > groups by pointer",
          "wire secrets-jwt-login-claims > a number among the groups",
        ],
      },
      claim_mappings: {
        says: "from claims, also by JSON pointer, to names of metadata",
        real: "`role` is the server's own, one name is mapped to once; missing claims are skipped",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-login-claims", "reference secrets 2.3"],
        asserted: "metadata of token and alias; reserved and repeated names and values that are no text are refused",
        tests: [
          "server/jwt-login-role > claim_mappings: become metadata of the token and of the alias, without what is missing",
          "wire secrets-jwt-role-refused > a mapping to a reserved name",
          "wire secrets-jwt-role-refused > two mappings to one name",
          "wire secrets-jwt-login-claims > a number as metadata",
        ],
      },
      oidc_scopes: {
        says: "scopes asked of the provider; `openid` always among them",
        real: "`openid` is not shown on read",
        evidence: ["wire secrets-jwt-role", "live/oidc > Vault 1.21", "reference secrets 3.3"],
        asserted: "read as written; openid first and once in the address; a claim needs its scope",
        tests: [
          "contract/traps/jwt-traps > openid is not added to the scopes",
          "support/oidc-address-suite > carries what the provider needs, in the order of the alphabet",
          "support/oidc-login-suite > needs the scope that gives the claim",
        ],
      },
      allowed_redirect_uris: {
        says: "required; where an OIDC login may lead back to",
        real: "required of `oidc` roles only; ports of loopback addresses do not count, letter case of other hosts does not",
        evidence: ["wire secrets-jwt-role-refused", "live/oidc > Vault 1.21", "reference secrets 3.3"],
        asserted: "an `oidc` role without any is refused; which redirects get an address",
        tests: [
          "wire secrets-jwt-role-refused > no redirect URIs",
          "unit/rules/jwt-role > a jwt.Role for browsers",
          "live/functions > an address to log in at leads to the provider; a redirect that is not allowed is refused",
          "support/oidc-address-suite > with %s allowed, %s: %s",
        ],
      },
      verbose_oidc_logging: {
        says: "logs tokens and claims; not for production",
        real: "every write while it is on answers 200 with a warning instead of 204",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.3"],
        asserted: "the warning comes with every write and is no failure",
        tests: [
          "wire secrets-jwt-role > create with logging on",
          "server/jwt-role-names > come for a maximum above the mount's, and for logging on every write while it is on",
          "contract/traps/jwt-traps > a write that answers with warnings is as good as one without",
        ],
      },
      max_age: {
        says: "seconds since the last active login at the provider; sent along when set",
        real: "null is ignored; 0 clears it",
        evidence: [
          "wire secrets-jwt-role",
          "live/oidc > what Vault 1.21 takes for an ID token",
          "reference secrets 3.4",
        ],
        asserted:
          "spellings, cleared with 0, negative ones refused; in the address, and held against the time of the login",
        tests: [
          "contract/traps/jwt-traps > a duration is cleared with 0, as null is ignored",
          "unit/rules/jwt-role > a jwt.Role for tokens",
          "wire secrets-jwt-role > read nulls",
          "support/oidc-address-suite > carries what the provider needs, in the order of the alphabet",
          "support/oidc-token-suite > of a login that is too old for the role",
        ],
      },
    },
  },
} satisfies Sections;
