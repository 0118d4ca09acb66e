import type { Sections } from "./section.ts";

/** Document 1: the requests of logins, who may call what, and what goes wrong. */
export const jwtRequests = {
  "1 Request of an authorization URL": {
    of: ["jwtAuthUrl"],
    rows: {
      role: {
        says: "optional; else `default_role`",
        real: "in lower case; none at all is a 400",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.3"],
        asserted: "the argument goes out in lower case and may be left out",
        tests: [
          "live/functions > an address to log in at leads to the provider; a redirect that is not allowed is refused",
        ],
      },
      redirect_uri: {
        says: "required",
        real: "compared with the role's; ports of loopback addresses do not count",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.3"],
        asserted: "one that is not allowed is refused with the reason",
        tests: [
          "live/functions > an address to log in at leads to the provider; a redirect that is not allowed is refused",
        ],
      },
      client_nonce: {
        says: "not in the document",
        real: "the callback must then bring it too",
        evidence: ["reference secrets 3.4"],
        asserted: "sent as given",
        tests: [
          "live/functions > an address to log in at leads to the provider; a redirect that is not allowed is refused",
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
        asserted: "keys of all three sources; a login asks for no token",
        tests: [
          "server/jwt-login-token > POST and PUT log in without a token; GET and DELETE are not there, LIST needs a token",
          "wire secrets-jwt-login-keys > discovery: jwt",
          "wire secrets-jwt-login-keys > key set: jwt",
          "wire secrets-jwt-login-keys > three public keys: jwt",
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
