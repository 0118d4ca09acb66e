import type { Sections } from "./section.ts";

/** Document 1: endpoints. */
export const jwtEndpoints = {
  "1 Endpoints": {
    of: [],
    rows: {
      "POST auth/{mount}/config": {
        says: "sets the global configuration",
        real: "204; replaces the whole record",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.1"],
        asserted: "what is left after the least is written over everything; every write is whole",
        tests: [
          "wire secrets-jwt-config > read what is left",
          "server/jwt-config > is replaced as a whole, but namespace_in_state stays",
          "contract/traps/jwt-traps > a configuration is always sent whole, the client secret too, as the server erases what is left out",
        ],
      },
      "GET auth/{mount}/config": {
        says: "returns the configuration",
        real: "404 until written; then every key, never the secret",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.2"],
        asserted: "both answers",
        tests: ["wire secrets-jwt-config > read before it is written", "wire secrets-jwt-config > read everything"],
      },
      "POST auth/{mount}/role/{name}": {
        says: "registers a role",
        real: "204, or 200 with warnings; merges into what is there",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.3"],
        asserted: "create, update of one field, reset of all; the program's state wins whatever was there",
        tests: [
          "wire secrets-jwt-role > read everything",
          "wire secrets-jwt-role > read the updated field",
          "wire secrets-jwt-role > read everything reset",
          "contract/desired-state > A then B leaves on the server what B alone leaves, for generated values",
        ],
      },
      "GET auth/{mount}/role/{name}": {
        says: "returns the role",
        real: "404 without a text when there is none",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.4"],
        asserted: "keys and unset values; an absent role is gone, not an error",
        tests: [
          "wire secrets-jwt-role > read the least",
          "wire secrets-jwt-role > read one that is not there",
          "server/jwt-roles > shows exactly these keys; lists and maps that were never sent are null",
        ],
      },
      "GET auth/{mount}/role?list=true": {
        says: "LIST: names of all roles",
        real: "the verb LIST or `?list=true`; sorted; 404 when there is none",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.5"],
        asserted: "both ways of asking, the order, the empty list",
        tests: [
          "wire secrets-jwt-role > list by LIST",
          "wire secrets-jwt-role > list by GET",
          "wire secrets-jwt-role > list none",
          "contract/functions > %s lists the names, none where there are none",
        ],
      },
      "DELETE auth/{mount}/role/{name}": {
        says: "deletes the role",
        real: "204, whether or not it was there",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.5"],
        asserted: "gone afterwards; a second time is a success",
        tests: [
          "wire secrets-jwt-role > delete",
          "wire secrets-jwt-role > delete one that is not there",
          "contract/lifecycle > deletes what is gone already without a complaint",
        ],
      },
      "POST auth/{mount}/oidc/auth_url": {
        says: "returns the address at which an OIDC login starts; the redirect leads to `…/oidc/callback` and is allowed on both sides",
        real: "an empty address with status 200 for what is not allowed or not reachable",
        evidence: ["wire secrets-jwt-login", "live/oidc > Vault 1.21", "reference secrets 3.3"],
        asserted:
          "what the address carries, what is refused and what is answered with none; nothing is asked in a preview",
        tests: [
          "wire secrets-jwt-login > the address with a redirect URI that is not allowed",
          "wire secrets-jwt-login > the address to log in at, without a provider",
          "support/oidc-address-suite > leads back to the API where the provider posts and the web interface has begun the login",
          "support/oidc-address-suite > cannot be had by GET",
          "sdk/functions > %s issues nothing: its arguments are checked, its result is unknown",
        ],
      },
      "GET auth/{mount}/oidc/callback": {
        says: "exchanges the provider's code for an ID token, checks it against the role, returns a server token",
        real: "as documented; the answer may also be posted; the state is good once, for ten minutes",
        evidence: [
          "wire secrets-jwt-login",
          "live/oidc > a login through a browser at Vault 1.21",
          "live/oidc > what Vault 1.21 takes for an ID token",
          "reference secrets 3.4",
        ],
        asserted:
          "a token that works, every check of the ID token and of the role, in the server's words; in a real browser too",
        tests: [
          "support/oidc-login-suite > gives a token, named and bound as the role says, that works",
          "support/oidc-login-suite > is refused by %s",
          "support/oidc-token-suite > a token endpoint",
          "support/oidc-token-suite > an ID token that is posted",
          "browser/oidc > goes from its address over the authorize page to the program that waits, and gives a token that works",
        ],
      },
      "POST auth/{mount}/login": {
        says: "verifies a JWT, authorises for the role, returns a server token",
        real: "needs no token; PUT does the same",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.1"],
        asserted: "the auth block, refusals, verbs; never during a preview, never twice",
        tests: [
          "wire secrets-jwt-login > log in",
          "server/jwt-login-token > POST and PUT log in without a token; GET and DELETE are not there, LIST needs a token",
          "contract/embedded-server > a token that issues something is never asked for twice by one run",
        ],
      },
      "state and nonce": {
        says: "opaque values of the authorization URL that come back in the redirect",
        real: "of twenty characters each; the state is good for ten minutes and used up by the callback, also by one that fails",
        evidence: [
          "live/oidc > Vault 1.21",
          "live/oidc > a login through a browser at Vault 1.21",
          "reference secrets 3.3",
        ],
        asserted: "in the address, anew each time; used up once, forgotten after its time",
        tests: [
          "server/oidc-state > a login that was begun > and %d seconds ago answers %j",
          "support/oidc-address-suite > carries what the provider needs, in the order of the alphabet",
          "support/oidc-login-suite > works once",
          "support/oidc-login-suite > is over when it has failed once",
        ],
      },
      "bodies of answers": {
        says: "not shown",
        real: "one envelope for all; writes answer nothing",
        evidence: ["wire secrets-transport", "reference secrets 1.6"],
        asserted: "members, escapes and order of the envelope",
        tests: [
          "server/frame-bodies > has all members of the envelope, and Go's escapes and order",
          "wire secrets-transport > the mounts",
        ],
      },
    },
  },
} satisfies Sections;
