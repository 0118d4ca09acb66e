import type { Sections } from "./section.ts";

/** Document 1: the token that a login gives, and the limits. */
export const jwtToken = {
  "1 Token fields of a role": {
    of: ["jwtRole", "jwtGetRole"],
    rows: {
      token_ttl: {
        says: "lifetime of tokens; read again at renewal",
        real: "unset, the mount's default; not above `token_max_ttl`",
        evidence: ["wire secrets-jwt-token", "reference secrets 3.2"],
        asserted: "the end of a token, the role's later value at renewal, the mount's default, the refused excess",
        tests: [
          "server/jwt-login-token > token_ttl: ends the token, and is read again at renewal",
          "server/jwt-login-token > token_ttl: unset it is the mount's default",
          "wire secrets-jwt-role-refused > a lifetime over its maximum",
        ],
      },
      token_max_ttl: {
        says: "longest lifetime; read again at renewal",
        real: "above the mount's maximum it is stored with a warning",
        evidence: ["wire secrets-jwt-role", "wire secrets-jwt-token", "reference secrets 2.3"],
        asserted: "no renewal goes beyond it, counted from the login; the warning",
        tests: [
          "server/jwt-login-token > token_max_ttl: no renewal goes beyond it from the time of the login on, as the role has it now",
          "wire secrets-jwt-role > create with a lifetime beyond the mount's",
        ],
      },
      token_policies: {
        says: "policies of the token; user and groups may add some",
        real: "kept as written, sorted in lower case on the token; `root` and internal ones fail the login",
        evidence: ["wire secrets-jwt-groups", "wire secrets-jwt-token", "reference secrets 3.1"],
        asserted: "what the token may do, policies of groups beside them, the policies for no login",
        tests: [
          "server/jwt-login-token > token_policies: are put on the token and enforced on paths, what they say now",
          "server/jwt-login-token > token_policies: %s is for no login",
          "wire secrets-jwt-token > read what it does not allow",
        ],
      },
      token_bound_cidrs: {
        says: "address blocks that may log in and use the token",
        real: "printed without host masks; what has a slash and is no block becomes a socket path",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-login-keys", "reference secrets 2.4"],
        asserted:
          "403 from elsewhere at login and in use; the printed form is no difference; a wrong mask is refused by the check",
        tests: [
          "server/jwt-login-token > token_bound_cidrs: let nobody log in from elsewhere, and nobody use the token there",
          "wire secrets-jwt-login-keys > from another network: jwt",
          "contract/traps/jwt-traps > address blocks are printed without host masks, and IPv6 in its short form",
          "contract/traps/jwt-traps > what has a slash and is no address block is refused: the server would take it for a socket",
        ],
      },
      token_explicit_max_ttl: {
        says: "hard end of the token, whatever renewals the other two would allow",
        real: "as documented; also for periodic tokens",
        evidence: ["wire secrets-jwt-token", "reference secrets 3.2"],
        asserted: "stays with the token when the role changes; ends a periodic one",
        tests: [
          "server/jwt-login-token > token_explicit_max_ttl: caps the token, whatever the role says later",
          "server/jwt-login-token > token_period: goes beyond the mount's maximum, one that is explicit ends it",
        ],
      },
      token_no_default_policy: {
        says: "leaves out the policy `default`; off unless set",
        real: "as documented",
        evidence: ["reference secrets 3.2"],
        asserted: "the policies of the token with and without",
        tests: ["server/jwt-login-token > token_no_default_policy: leaves the default policy out"],
      },
      token_num_uses: {
        says: "number of uses, 0 for any; must be 0 for tokens that create others",
        real: "as documented; negative and with batch tokens a 400",
        evidence: ["wire secrets-jwt-role-refused", "reference secrets 2.3"],
        asserted: "every use counts, none creates a token, refused values",
        tests: [
          "server/jwt-login-token > token_num_uses: counts every use, and 0 none",
          "server/jwt-login-token > token_num_uses: must be 0 for a token that creates others",
          "wire secrets-jwt-role-refused > a negative number of uses",
          "wire secrets-jwt-role-refused > a batch token with uses",
        ],
      },
      token_period: {
        says: "period of the token",
        real: "not above the mount's maximum, not for batch tokens",
        evidence: ["wire secrets-jwt-role-refused", "wire secrets-jwt-token", "reference secrets 2.3"],
        asserted: "renewed in time it goes on for ever; refused values",
        tests: [
          "server/jwt-login-token > token_period: renews for ever, as long as it happens in time",
          "wire secrets-jwt-token > renew periodic for two hours",
          "wire secrets-jwt-role-refused > a batch token with a period",
          "wire secrets-jwt-role-refused > a period over the mount's maximum",
        ],
      },
      token_type: {
        says: "`service`, `batch` or `default`; two more for other roles",
        real: "the two more are refused here; unset reads `default`; the mount's type overrides",
        evidence: ["wire secrets-jwt-role-refused", "reference secrets 3.2"],
        asserted: "the token for every pairing of role and mount; the refused words; unset is `default`",
        tests: [
          "server/jwt-login-token > token_type: %s on a mount of type '%s' is a %s token",
          "wire secrets-jwt-role-refused > an unknown type of token",
          "contract/traps/jwt-traps > a token type that is unset reads back as default",
        ],
      },
    },
  },
  "1 Limits": {
    of: [],
    rows: {
      "leeways of 0 and -1": {
        says: "60 and 150 seconds hold when a leeway is 0; -1 switches it off",
        real: "0 is stored and read as 0; any negative value is none",
        evidence: ["wire secrets-jwt-login-times", "reference secrets 2.4"],
        asserted: "the defaults at login, and that they never show as values",
        tests: [
          "server/jwt-login-role > document 1, role and limits: leeways",
          "contract/traps/jwt-traps > a leeway of 0 stays 0, and the defaults that then apply are never shown as values",
          "wire secrets-jwt-login-times > from the future, and no skew is allowed",
        ],
      },
      "token_num_uses of 0": {
        says: "unlimited",
        real: "as documented",
        evidence: ["reference secrets 3.2"],
        asserted: "a token of such a role is used again and again",
        tests: ["server/jwt-login-token > token_num_uses: counts every use, and 0 none"],
      },
      "rate limits": {
        says: "not shown",
        real: "429 of a quota, without a time to wait unless asked for",
        evidence: ["wire secrets-sys-quota", "reference secrets 1.7"],
        asserted: "a 429 is tried again when the server says, and makes nothing gone",
        tests: [
          "unit/http/send > lets a %s after %d be tried again",
          "unit/http/send > after %d with %j are what the server asks for",
          "unit/dialects/vault > not because of a rate limit",
          "server/frame-faults > can say when to come again",
        ],
      },
    },
  },
} satisfies Sections;
