import type { Sections } from "./section.ts";

/** JWT/OIDC auth method: the token that a login gives, and the limits. */
export const jwtToken = {
  "jwt: Token fields of a role": {
    of: ["jwtRole", "jwtGetRole"],
    rows: {
      token_ttl: {
        says: "lifetime of tokens; read again at renewal",
        real: "unset, the mount's default; not above `token_max_ttl`",
        evidence: ["wire secrets-jwt-token", "reference secrets 3.2"],
        asserted: "the end of a token, the role's later value at renewal, the mount's default, the refused excess",
      },
      token_max_ttl: {
        says: "longest lifetime; read again at renewal",
        real: "above the mount's maximum it is stored with a warning",
        evidence: ["wire secrets-jwt-role", "wire secrets-jwt-token", "reference secrets 2.3"],
        asserted: "no renewal goes beyond it, counted from the login; the warning",
      },
      token_policies: {
        says: "policies of the token; user and groups may add some",
        real: "kept as written, sorted in lower case on the token; `root` and internal ones fail the login",
        evidence: ["wire secrets-jwt-groups", "wire secrets-jwt-token", "reference secrets 3.1"],
        asserted: "what the token may do, policies of groups beside them, the policies for no login",
      },
      token_bound_cidrs: {
        says: "address blocks that may log in and use the token",
        real: "printed without host masks; what has a slash and is no block becomes a socket path",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-login-keys", "reference secrets 2.4"],
        asserted:
          "403 from elsewhere at login and in use; the printed form is no difference; a wrong mask is refused by the check",
      },
      token_explicit_max_ttl: {
        says: "hard end of the token, whatever renewals the other two would allow",
        real: "as documented; also for periodic tokens",
        evidence: ["wire secrets-jwt-token", "reference secrets 3.2"],
        asserted: "stays with the token when the role changes; ends a periodic one",
      },
      token_no_default_policy: {
        says: "leaves out the policy `default`; off unless set",
        evidence: ["reference secrets 3.2"],
        asserted: "the policies of the token with and without",
      },
      token_num_uses: {
        says: "number of uses, 0 for any; must be 0 for tokens that create others",
        real: "as documented; negative and with batch tokens a 400",
        evidence: ["wire secrets-jwt-role-refused", "reference secrets 2.3"],
        asserted: "every use counts, none creates a token, refused values",
      },
      token_period: {
        says: "period of the token",
        real: "not above the mount's maximum, not for batch tokens",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-token", "reference secrets 2.3"],
        asserted: "renewed in time it goes on for ever; refused values",
      },
      token_type: {
        says: "`service`, `batch` or `default`; two more for other roles",
        real: "the two more are refused here; unset reads `default`; the mount's type overrides",
        evidence: ["wire secrets-jwt-role-refused", "reference secrets 3.2"],
        asserted: "the token for every pairing of role and mount; the refused words; unset is `default`",
      },
    },
  },
  "jwt: Limits": {
    of: [],
    rows: {
      "leeways of 0 and -1": {
        says: "60 and 150 seconds hold when a leeway is 0; -1 switches it off",
        real: "0 is stored and read as 0; any negative value is none",
        evidence: ["wire secrets-jwt-login-times", "reference secrets 2.4"],
        asserted: "the defaults at login, and that they never show as values",
      },
      "token_num_uses of 0": {
        says: "unlimited",
        evidence: ["reference secrets 3.2"],
        asserted: "a token of such a role is used again and again",
      },
      "rate limits": {
        says: "not shown",
        real: "429 of a quota, without a time to wait unless asked for",
        evidence: ["wire secrets-sys-quota", "reference secrets 1.7"],
        asserted: "a 429 is tried again when the server says, and makes nothing gone",
      },
    },
  },
} satisfies Sections;
