import type { Sections } from "./section.ts";

/** What the documents leave out of answers, and programs get from functions. */
export const beyondAnswers = {
  "+ Answer of a login": {
    of: ["jwtLogin"],
    rows: {
      client_token: {
        says: "a server token",
        real: "other beginnings for service and batch tokens",
        evidence: [
          "wire secrets-jwt-login",
          "reference secrets 3.2",
          "live/functions > a login gives a token that works",
        ],
        asserted: "works, is a secret, is never asked for twice",
        tests: [
          "server/jwt-login-token > answers the auth block, and names no mount type",
          "unit/functions/definitions > what issues something, and what is secret, is marked so",
        ],
      },
      accessor: {
        says: "not shown",
        real: "empty for batch tokens",
        evidence: ["reference secrets 3.2"],
        asserted: "finds the token",
        tests: ["server/jwt-login-token > is found by its accessor and revokes itself"],
      },
      policies: {
        says: "not shown",
        real: "of the token and of the identity, sorted",
        evidence: ["wire secrets-jwt-groups", "reference secrets 3.2"],
        asserted: "both kinds",
        tests: [
          "server/jwt-login-token > token_policies: are put on the token and enforced on paths, what they say now",
          "wire secrets-jwt-groups > look the token up",
        ],
      },
      token_policies: {
        says: "not shown",
        real: "of the role, with `default` unless it is left out",
        evidence: ["reference secrets 3.2"],
        asserted: "with and without `default`",
        tests: ["server/jwt-login-token > token_no_default_policy: leaves the default policy out"],
      },
      identity_policies: {
        says: "not shown",
        real: "of the entity and its groups; absent when there are none",
        evidence: ["wire secrets-jwt-groups", "reference secrets 3.2"],
        asserted: "come with the group and go with it",
        tests: [
          "server/jwt-login-role > groups_claim: lets the user into the groups of these aliases, whose policies supplement token_policies",
        ],
      },
      metadata: {
        says: "see `claim_mappings`",
        real: "the role and the mapped claims",
        evidence: ["wire secrets-jwt-login-claims", "reference secrets 3.2"],
        asserted: "both",
        tests: [
          "wire secrets-jwt-login-claims > claims as metadata",
          "server/jwt-login-role > claim_mappings: become metadata of the token and of the alias, without what is missing",
        ],
      },
      lease_duration: {
        says: "see `token_ttl` and `token_period`",
        real: "the period if there is one, else the lifetime, capped with a warning",
        evidence: ["wire secrets-jwt-token", "reference secrets 3.2"],
        asserted: "for every source",
        tests: [
          "server/jwt-login-token > token_ttl: unset it is the mount's default",
          "server/jwt-login-token > token_period: goes beyond the mount's maximum, one that is explicit ends it",
        ],
      },
      renewable: {
        says: "not shown",
        real: "false for batch tokens",
        evidence: ["reference secrets 3.2"],
        asserted: "for both types",
        tests: ["server/jwt-login-token > token_type: %s on a mount of type '%s' is a %s token"],
      },
      entity_id: {
        says: "an entity for who logs in",
        real: "the same in every role of the mount",
        evidence: ["wire secrets-jwt-groups", "reference secrets 3.2"],
        asserted: "the same for two roles",
        tests: ["server/jwt-login-role > an entity belongs to the user, in every role of the mount"],
      },
      token_type: {
        says: "see `token_type` of a role",
        real: "`service` or `batch`",
        evidence: ["reference secrets 3.2"],
        asserted: "for every role and mount",
        tests: ["server/jwt-login-token > token_type: %s on a mount of type '%s' is a %s token"],
      },
      num_uses: {
        says: "see `token_num_uses`",
        real: "as the role says",
        evidence: ["reference secrets 3.2"],
        asserted: "counts down",
        tests: ["server/jwt-login-token > token_num_uses: counts every use, and 0 none"],
      },
    },
  },
  "+ Answer of an authorization URL": {
    of: ["jwtAuthUrl"],
    rows: {
      auth_url: {
        says: "an address that starts the login",
        real: "empty with status 200 where there is none",
        evidence: [
          "wire secrets-jwt-login",
          "reference secrets 3.3",
          "live/functions > an address to log in at leads to the provider; a redirect that is not allowed is refused",
        ],
        asserted: "leads to the provider; empty is an error",
        tests: [
          "contract/functions > jwt.authUrl begins a login in the browser, which gives a token to whoever has its client nonce",
          "support/oidc-address-suite > carries what the provider needs, in the order of the alphabet",
          "wire secrets-jwt-login > the address with a redirect URI that is not allowed",
          "live/functions > an address to log in at leads to the provider; a redirect that is not allowed is refused",
        ],
      },
    },
  },
  "+ Lists of names": {
    of: ["jwtGetRoles", "cloudGetRoles"],
    rows: {
      keys: {
        says: "names of all roles",
        real: "sorted by bytes",
        evidence: ["wire secrets-jwt-role", "wire secrets-cloud-role", "reference secrets 2.5"],
        asserted: "order; none is an empty list, an error is not",
        tests: [
          "server/jwt-role-names > the list is sorted by bytes",
          "contract/functions > %s lists the names, none where there are none",
          "contract/functions > passes %s on as an error, not as an empty list",
        ],
      },
    },
  },
  "+ List of parameters": {
    of: ["policyGetParameters"],
    rows: {
      parameters: {
        says: "a list of parameters",
        real: "in no stated order",
        evidence: ["wire policy-parameters", "reference policy A.4"],
        asserted: "asked anew each time, without hidden values",
        tests: [
          "contract/functions > lists the parameters of a set, anew each time, without the values that are never shown",
        ],
      },
    },
  },
  "+ Answer with credentials": {
    of: ["cloudGetCredentials", "cloudGetStaticCredentials"],
    rows: {
      access_key: {
        says: "not shown",
        real: "the key's id",
        evidence: ["wire secrets-cloud-credentials", "wire secrets-cloud-rotation", "reference secrets 4.5"],
        asserted: "for every type, and of a static role",
        tests: ["wire secrets-cloud-credentials > of a user", "wire secrets-cloud-rotation > read the credentials"],
      },
      secret_key: {
        says: "not shown",
        real: "works with the id",
        evidence: [
          "reference secrets 4.5",
          "live/functions > credentials of a user are a user of the cloud, who is gone when they are given back",
        ],
        asserted: "works at the cloud, is a secret of the program",
        tests: [
          "server/cloud-credentials > iam_user: a new user with a key of its own, whose lease can be renewed",
          "unit/functions/definitions > what issues something, and what is secret, is marked so",
        ],
      },
      session_token: {
        says: "not shown",
        real: "`security_token` in OpenBao and older Vault; null for users",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "both names",
        tests: [
          "unit/functions/definitions > an answer of OpenBao and older releases calls the session token a security token",
        ],
      },
      arn: {
        says: "not shown",
        real: "of assumed roles only: names role and session",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "the text",
        tests: ["server/cloud-credentials > the arn of an assumed role names the role and the session"],
      },
      lease_id: {
        says: "not shown",
        real: "begins with the path of the request",
        evidence: ["wire secrets-cloud-leases", "reference secrets 4.5"],
        asserted: "looked up, renewed, given back",
        tests: [
          "wire secrets-cloud-leases > look up",
          "unit/functions/definitions > credentials without a lease have nothing to give back",
        ],
      },
      lease_duration: {
        says: "see the lease configuration",
        real: "of the configuration for users, the lifetime for sessions",
        evidence: ["wire secrets-cloud-leases", "reference secrets 4.5"],
        asserted: "both",
        tests: [
          "server/cloud-leases > lease: a user's credentials live as long, whatever ttl is asked for",
          "wire secrets-cloud-leases > issue a session",
        ],
      },
      renewable: {
        says: "not shown",
        real: "users only",
        evidence: ["wire secrets-cloud-leases", "reference secrets 4.5"],
        asserted: "both",
        tests: ["wire secrets-cloud-leases > renew a session", "wire secrets-cloud-leases > renew for an hour"],
      },
      expiration: {
        says: "not shown",
        real: "of static roles, Vault since 1.19; not moved by another period",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.7"],
        asserted: "in the answer; unmoved after an update",
        tests: [
          "wire secrets-cloud-rotation > read the credentials",
          "server/cloud-rotation > 3: an update of rotation_period puts the next rotation a whole period ahead, unseen",
        ],
      },
    },
  },
} satisfies Sections;
