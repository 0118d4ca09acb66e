import type { Sections } from "./section.ts";

/** JWT/OIDC auth method: the requests of logins, who may call what, and what goes wrong. */
export const jwtRequests = {
  "jwt: Request of an authorization URL": {
    of: ["jwtAuthUrl"],
    rows: {
      role: {
        says: "optional; else `default_role`",
        real: "in lower case; none at all is a 400",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.3"],
        asserted: "the default role, an unknown one, one for JWTs",
      },
      redirect_uri: {
        says: "required",
        real: "compared with the role's; ports of loopback addresses do not count",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.3"],
        asserted: "missing, allowed and not; the function gives the reason",
      },
      client_nonce: {
        real: "the callback must then bring it too",
        evidence: ["reference secrets 3.4"],
        asserted: "the callback with it, without it, with another one",
      },
    },
  },
  "jwt: Request of a callback": {
    of: [],
    rows: {
      state: {
        says: "required",
        real: "an unknown or used one is a 400, which names both",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.4"],
        asserted: "none, an unknown one, one that was used",
      },
      nonce: {
        says: "required",
        real: "no such parameter: ignored with a warning; the nonce is a claim of the ID token",
        evidence: ["reference secrets 3.4"],
        asserted: "the warning; ID tokens without it or with another one are refused",
      },
      code: {
        says: "required",
        real: "none where the provider has posted an ID token",
        evidence: ["reference secrets 3.4"],
        asserted: "none, an unknown one, one of another login",
      },
    },
  },
  "jwt: Request of a login": {
    of: ["jwtLogin"],
    rows: {
      role: {
        says: "optional; else `default_role`",
        real: "in lower case; none at all is a 400",
        evidence: ["wire secrets-jwt-login", "wire secrets-jwt-login-keys"],
        asserted: "a role in capitals, the default one, none, an unknown one",
      },
      jwt: {
        says: "required",
        real: "a 400 when missing, after the role was looked up",
        evidence: ["wire secrets-jwt-login"],
        asserted: "missing and malformed ones; a secret in the program",
      },
    },
  },
  "jwt: Authentication": {
    of: [],
    rows: {
      "callers of a login": {
        says: "are known by a JWT or by a provider's code, checked by the configuration and the role",
        real: "login, auth_url and callback need no token; nothing else does without",
        evidence: ["wire secrets-jwt-login", "reference secrets 1.8"],
        asserted: "keys of all three sources, a provider's code; neither asks for a token",
      },
      "callers of configuration and roles": {
        says: "not shown",
        real: "a token whose policies grant the path; create and update of a role are told apart",
        evidence: ["wire secrets-tokens-and-policies", "reference secrets 1.8"],
        asserted: "403 without a token, with an invalid one, without the right; what to do about it",
      },
    },
  },
  "jwt: Errors": {
    of: [],
    rows: {
      "status codes and bodies": {
        says: "not shown",
        real: "400 with one text, 403, 404 without one, 405, 500 with a list; a sealed server 503",
        evidence: ["wire secrets-transport", "wire secrets-sys-sealed", "reference secrets 1.7"],
        asserted: "every status that the provider branches on is recorded; no error makes anything gone",
      },
    },
  },
} satisfies Sections;
