import type { Sections } from "./section.ts";

/** Document 1: the requests of logins, who may call what, and what goes wrong. */
export const jwtRequests = {
  "1 Request of an authorization URL": {
    of: ["jwtAuthUrl"],
    rows: {
      role: {
        says: "optional; else `default_role`",
        real: "in lower case; none at all is a 400",
        evidence: ["wire secrets-jwt-login", "live/oidc > Vault 1.21", "reference secrets 3.3"],
        asserted: "the default role, an unknown one, one for JWTs",
        tests: [
          "wire secrets-jwt-login > the address for an unknown role",
          "support/oidc-address-suite > is that of the default role where none is named",
          "support/oidc-address-suite > is given for a role for JWTs, too, when it allows the redirect",
        ],
      },
      redirect_uri: {
        says: "required",
        real: "compared with the role's; ports of loopback addresses do not count",
        evidence: ["wire secrets-jwt-login", "live/oidc > Vault 1.21", "reference secrets 3.3"],
        asserted: "missing, allowed and not; the function gives the reason",
        tests: [
          "wire secrets-jwt-login > the address without a redirect URI",
          "support/oidc-address-suite > with %s allowed, %s: %s",
          "live/functions > an address to log in at leads to the provider; a redirect that is not allowed is refused",
        ],
      },
      client_nonce: {
        says: "not described",
        real: "the callback must then bring it too",
        evidence: ["live/oidc > a login through a browser at Vault 1.21", "reference secrets 3.4"],
        asserted: "the callback with it, without it, with another one",
        tests: [
          "contract/functions > jwt.authUrl begins a login in the browser, which gives a token to whoever has its client nonce",
          "support/oidc-login-suite > needs the client nonce that it was begun with",
        ],
      },
    },
  },
  "1 Request of a callback": {
    of: [],
    rows: {
      state: {
        says: "required",
        real: "an unknown or used one is a 400, which names both",
        evidence: [
          "wire secrets-jwt-login",
          "live/oidc > a login through a browser at Vault 1.21",
          "reference secrets 3.4",
        ],
        asserted: "none, an unknown one, one that was used",
        tests: [
          "wire secrets-jwt-login > come back with an unknown state",
          "support/oidc-login-suite > that nobody has begun is none: %j",
          "server/oidc-state > a login that was begun > and %d seconds ago answers %j",
          "support/oidc-login-suite > works once",
        ],
      },
      nonce: {
        says: "required",
        real: "no such parameter: ignored with a warning; the nonce is a claim of the ID token",
        evidence: ["live/oidc > a login through a browser at Vault 1.21", "reference secrets 3.4"],
        asserted: "the warning; ID tokens without it or with another one are refused",
        tests: [
          "support/oidc-login-suite > ignores a nonce, which the document asks for, and says so",
          "support/oidc-token-suite > an ID token that is posted",
        ],
      },
      code: {
        says: "required",
        real: "none where the provider has posted an ID token",
        evidence: ["live/oidc > a login through a browser at Vault 1.21", "reference secrets 3.4"],
        asserted: "none, an unknown one, one of another login",
        tests: [
          "support/oidc-login-suite > that the user refuses brings no code",
          "support/oidc-login-suite > with a code that the provider does not know is refused in the provider's words",
          "support/oidc-login-suite > with the code of another login fails at its code verifier",
        ],
      },
    },
  },
  "1 Request of a login": {
    of: ["jwtLogin"],
    rows: {
      role: {
        says: "optional; else `default_role`",
        real: "in lower case; none at all is a 400",
        evidence: ["wire secrets-jwt-login", "wire secrets-jwt-login-keys"],
        asserted: "a role in capitals, the default one, none, an unknown one",
        tests: [
          "wire secrets-jwt-login > log in without a role",
          "wire secrets-jwt-login > log in as an unknown role",
          "wire secrets-jwt-login-keys > log in with a role in upper case and something unknown",
          "wire secrets-jwt-login-keys > log in as the default role",
        ],
      },
      jwt: {
        says: "required",
        real: "a 400 when missing, after the role was looked up",
        evidence: ["wire secrets-jwt-login"],
        asserted: "missing and malformed ones; a secret in the program",
        tests: [
          "wire secrets-jwt-login > log in without a JWT",
          "wire secrets-jwt-login > log in with what is no JWT",
          "server/jwt-login-token > jwt: must be given",
          "sdk/functions > the result of a secret argument is a secret",
        ],
      },
    },
  },
  "1 Authentication": {
    of: [],
    rows: {
      "callers of a login": {
        says: "are known by a JWT or by a provider's code, checked by the configuration and the role",
        real: "login, auth_url and callback need no token; nothing else does without",
        evidence: ["wire secrets-jwt-login", "reference secrets 1.8"],
        asserted: "keys of all three sources, a provider's code; neither asks for a token",
        tests: [
          "server/jwt-login-token > POST and PUT log in without a token; GET and DELETE are not there, LIST needs a token",
          "wire secrets-jwt-login-keys > discovery: jwt",
          "wire secrets-jwt-login-keys > key set: jwt",
          "wire secrets-jwt-login-keys > three public keys: jwt",
          "support/oidc-login-suite > gives a token, named and bound as the role says, that works",
        ],
      },
      "callers of configuration and roles": {
        says: "not shown",
        real: "a token whose policies grant the path; create and update of a role are told apart",
        evidence: ["wire secrets-tokens-and-policies", "reference secrets 1.8"],
        asserted: "403 without a token, with an invalid one, without the right; what to do about it",
        tests: [
          "wire secrets-tokens-and-policies > read a role without a token",
          "wire secrets-tokens-and-policies > write what the policy does not allow",
          "wire secrets-tokens-and-policies > create where creating is all that is allowed",
          "server/sys-policies > needs create for a new role and update for one that exists",
        ],
      },
    },
  },
  "1 Errors": {
    of: [],
    rows: {
      "status codes and bodies": {
        says: "not shown",
        real: "400 with one text, 403, 404 without one, 405, 500 with a list; a sealed server 503",
        evidence: ["wire secrets-transport", "wire secrets-sys-sealed", "reference secrets 1.7"],
        asserted: "every status that the provider branches on is recorded; no error makes anything gone",
        tests: [
          "wire/coverage > has every status of the tables in a branch",
          "wire secrets-transport > read where no auth method is",
          "wire secrets-sys-sealed > read a role",
          "unit/dialects/vault > a record of Vault is not there > not because of %s",
        ],
      },
    },
  },
} satisfies Sections;
