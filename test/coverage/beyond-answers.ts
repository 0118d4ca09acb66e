import type { Sections } from "./section.ts";

/** What the documents leave out of answers, and programs get from functions. */
export const beyondAnswers = {
  "beyond: Answer of a login": {
    of: ["jwtLogin"],
    evidence: ["reference secrets 3.2"],
    rows: {
      client_token: {
        says: "a server token",
        real: "other beginnings for service and batch tokens",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.2"],
        asserted: "works, is a secret, is never asked for twice",
      },
      accessor: {
        says: "not shown",
        real: "empty for batch tokens",
        asserted: "finds the token",
      },
      policies: {
        says: "not shown",
        real: "of the token and of the identity, sorted",
        evidence: ["wire secrets-jwt-groups", "reference secrets 3.2"],
        asserted: "both kinds",
      },
      token_policies: {
        says: "not shown",
        real: "of the role, with `default` unless it is left out",
        asserted: "with and without `default`",
      },
      identity_policies: {
        says: "not shown",
        real: "of the entity and its groups; absent when there are none",
        evidence: ["wire secrets-jwt-groups", "reference secrets 3.2"],
        asserted: "come with the group and go with it",
      },
      metadata: {
        says: "see `claim_mappings`",
        real: "the role and the mapped claims",
        evidence: ["wire secrets-jwt-login-claims", "reference secrets 3.2"],
        asserted: "both",
      },
      lease_duration: {
        says: "see `token_ttl` and `token_period`",
        real: "the period if there is one, else the lifetime, capped with a warning",
        evidence: ["wire secrets-jwt-token", "reference secrets 3.2"],
        asserted: "for every source",
      },
      renewable: {
        says: "not shown",
        real: "false for batch tokens",
        asserted: "for both types",
      },
      entity_id: {
        says: "an entity for who logs in",
        real: "the same in every role of the mount",
        evidence: ["wire secrets-jwt-groups", "reference secrets 3.2"],
        asserted: "the same for two roles",
      },
      token_type: {
        says: "see `token_type` of a role",
        real: "`service` or `batch`",
        asserted: "for every role and mount",
      },
      num_uses: {
        says: "see `token_num_uses`",
        real: "as the role says",
        asserted: "counts down",
      },
    },
  },
  "beyond: Answer of an authorization URL": {
    of: ["jwtAuthUrl"],
    rows: {
      auth_url: {
        says: "an address that starts the login",
        real: "empty with status 200 where there is none",
        evidence: ["wire secrets-jwt-login", "reference secrets 3.3"],
        asserted: "leads to the provider; empty is an error",
      },
    },
  },
  "beyond: Lists of names": {
    of: ["jwtGetRoles", "cloudGetRoles"],
    rows: {
      keys: {
        says: "names of all roles",
        real: "sorted by bytes",
        evidence: ["wire secrets-jwt-role", "wire secrets-cloud-role", "reference secrets 2.5"],
        asserted: "order; none is an empty list, an error is not",
      },
    },
  },
  "beyond: List of parameters": {
    of: ["policyGetParameters"],
    rows: {
      parameters: {
        says: "a list of parameters",
        real: "in no stated order",
        evidence: ["wire policy-parameters", "reference policy A.4"],
        asserted: "asked anew each time, without hidden values",
      },
    },
  },
  "beyond: Answer with credentials": {
    of: ["cloudGetCredentials", "cloudGetStaticCredentials"],
    evidence: ["wire secrets-cloud-leases", "reference secrets 4.5"],
    rows: {
      access_key: {
        says: "not shown",
        real: "the key's id",
        evidence: ["wire secrets-cloud-credentials", "wire secrets-cloud-rotation", "reference secrets 4.5"],
        asserted: "for every type, and of a static role",
      },
      secret_key: {
        says: "not shown",
        real: "works with the id",
        evidence: ["reference secrets 4.5"],
        asserted: "works at the cloud, is a secret of the program",
      },
      session_token: {
        says: "not shown",
        real: "`security_token` in OpenBao and older Vault; null for users",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "both names",
      },
      arn: {
        says: "not shown",
        real: "of assumed roles only: names role and session",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "the text",
      },
      lease_id: {
        says: "not shown",
        real: "begins with the path of the request",
        asserted: "looked up, renewed, given back",
      },
      lease_duration: {
        says: "see the lease configuration",
        real: "of the configuration for users, the lifetime for sessions",
        asserted: "both",
      },
      renewable: {
        says: "not shown",
        real: "users only",
        asserted: "both",
      },
      expiration: {
        says: "not shown",
        real: "of static roles, Vault since 1.19; not moved by another period",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.7"],
        asserted: "in the answer; unmoved after an update",
      },
    },
  },
} satisfies Sections;
