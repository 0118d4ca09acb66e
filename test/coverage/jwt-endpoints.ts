import type { Sections } from "./section.ts";

/** JWT/OIDC auth method: endpoints. */
export const jwtEndpoints = {
  "jwt: Endpoints": {
    of: [],
    rows: {
      "POST auth/{mount}/config": {
        says: "sets the global configuration",
        real: "204; replaces the whole record",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.1"],
        asserted: "what is left after the least is written over everything; every write is whole",
      },
      "GET auth/{mount}/config": {
        says: "returns the configuration",
        real: "404 until written; then every key, never the secret",
        evidence: ["wire secrets-jwt-config", "reference secrets 2.2"],
        asserted: "both answers",
      },
      "POST auth/{mount}/role/{name}": {
        says: "registers a role",
        real: "204, or 200 with warnings; merges into what is there",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.3"],
        asserted: "create, update of one field, reset of all; the program's state wins whatever was there",
      },
      "GET auth/{mount}/role/{name}": {
        says: "returns the role",
        real: "404 without a text when there is none",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.4"],
        asserted: "keys and unset values; an absent role is gone, not an error",
      },
      "GET auth/{mount}/role?list=true": {
        says: "LIST: names of all roles",
        real: "the verb LIST or `?list=true`; sorted; 404 when there is none",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.5"],
        asserted: "both ways of asking, the order, the empty list",
      },
      "DELETE auth/{mount}/role/{name}": {
        says: "deletes the role",
        real: "204, whether or not it was there",
        evidence: ["wire secrets-jwt-role", "reference secrets 2.5"],
        asserted: "gone afterwards; a second time is a success",
      },
      "POST auth/{mount}/oidc/auth_url": {
        says: "returns the address at which an OIDC login starts; the redirect leads to `…/oidc/callback` and is allowed on both sides",
        real: "an empty address with status 200 for what is not allowed or not reachable",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.3"],
        asserted:
          "what the address carries, what is refused and what is answered with none; nothing is asked in a preview",
      },
      "GET auth/{mount}/oidc/callback": {
        says: "exchanges the provider's code for an ID token, checks it against the role, returns a server token",
        real: "as documented; the answer may also be posted; the state is good once, for ten minutes",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.4"],
        asserted:
          "a token that works, every check of the ID token and of the role, in the server's words; in a real browser too",
      },
      "POST auth/{mount}/login": {
        says: "verifies a JWT, authorises for the role, returns a server token",
        real: "needs no token; PUT does the same",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.1"],
        asserted: "the auth block, refusals, verbs; never during a preview, never twice",
      },
      "state and nonce": {
        says: "opaque values of the authorization URL that come back in the redirect",
        real: "of twenty characters each; the state is good for ten minutes and used up by the callback, also by one that fails",
        evidence: ["reference secrets 3.3"],
        asserted: "in the address, anew each time; used up once, forgotten after its time",
      },
      "bodies of answers": {
        says: "not shown",
        real: "one envelope for all; writes answer nothing",
        evidence: ["wire secrets-transport", "reference secrets 1.6"],
        asserted: "members, escapes and order of the envelope",
      },
    },
  },
} satisfies Sections;
