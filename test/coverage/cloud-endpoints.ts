import type { Sections } from "./section.ts";

/** Document 3: endpoints. */
export const cloudEndpoints = {
  "3 Endpoints": {
    of: [],
    rows: {
      "POST {mount}/config/root": {
        says: "sets the root credentials, over those that are there",
        real: "Vault since 1.19 merges, older releases and OpenBao replace",
        evidence: [
          "wire secrets-cloud-config",
          "reference secrets 4.1",
          "live/availability > merges writes of a root configuration, as the table says of this release",
        ],
        asserted: "one field alone, all of them, none; every write of the provider is whole",
        tests: [
          "wire secrets-cloud-config > read what one field left",
          "wire secrets-cloud-config > read everything reset",
          "contract/traps/cloud-traps > a root configuration is always sent whole, and a rotated key is never overwritten by the old one",
        ],
      },
      "GET {mount}/config/root": {
        says: "returns what is not secret; never `secret_key`",
        real: "404 until written",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "both answers",
        tests: [
          "wire secrets-cloud-config > read before it is written",
          "wire secrets-cloud-config > read everything",
          "server/cloud-config > is absent until written, and then shows everything but the secret key",
        ],
      },
      "POST {mount}/config/rotate-root": {
        says: "rotates the configured key, returns the new one's id",
        real: "as documented; a 400 without a key",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.2"],
        asserted:
          "the key at the cloud and in the configuration; only when the triggers change; never a difference, and the old key never sent again",
        tests: [
          "wire secrets-cloud-rotation > rotate the root key",
          "wire secrets-cloud-rotation > rotate the root key before there is one",
          "server/cloud-config > gives the root user a new key, stores it and deletes the old one",
          "contract/cases/cloud-root-rotation > the order of triggers",
          "contract/root-rotation > a rotation %s: it is no difference, and the old key is never sent again",
        ],
      },
      "POST {mount}/config/lease": {
        says: "sets `lease` and `lease_max`",
        real: "204; both every time",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.3"],
        asserted: "what is taken and refused",
        tests: [
          "wire secrets-cloud-config > write the lease",
          "wire secrets-cloud-config > read the lease written in other ways",
          "wire secrets-cloud-config > refuse no maximum",
        ],
      },
      "GET {mount}/config/lease": {
        says: "returns the current settings",
        real: "404 until written; texts as Go prints durations",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.3"],
        asserted: "both answers",
        tests: [
          "wire secrets-cloud-config > read the lease before it is written",
          "wire secrets-cloud-config > read the lease",
          "server/cloud-config > shows %j and %j as Go prints durations",
        ],
      },
      "POST {mount}/roles/{name}": {
        says: "writes the role, new or not",
        real: "merges, then checks the whole; 204, or 200 with warnings",
        evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
        asserted: "create, update of one field, reset; the program's state wins whatever was there",
        tests: [
          "wire secrets-cloud-role > read a user with everything",
          "wire secrets-cloud-role > read the updated field",
          "wire secrets-cloud-role > read a role that was reset",
          "contract/desired-state > A then B leaves on the server what B alone leaves, for generated values",
        ],
      },
      "GET {mount}/roles/{name}": {
        says: "returns the role",
        real: "404 when there is none",
        evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
        asserted: "keys and unset values, the 404",
        tests: [
          "wire secrets-cloud-role > read the least",
          "wire secrets-cloud-role > read one that is not there",
          "server/cloud-roles > shows thirteen keys, null where nothing was ever sent",
        ],
      },
      "GET {mount}/roles?list=true": {
        says: "LIST: all roles",
        real: "the verb LIST or `?list=true`; 404 when there is none",
        evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
        asserted: "both ways of asking and the empty list",
        tests: [
          "wire secrets-cloud-role > list by LIST",
          "wire secrets-cloud-role > list by GET",
          "wire secrets-cloud-role > list none",
          "contract/functions > %s lists the names, none where there are none",
        ],
      },
      "DELETE {mount}/roles/{name}": {
        says: "deletes the role",
        real: "204, whether or not it was there",
        evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
        asserted: "gone afterwards, a second time is a success, its leases live on",
        tests: [
          "wire secrets-cloud-role > delete",
          "wire secrets-cloud-role > delete one that is not there",
          "server/cloud-leases > outlives its role",
        ],
      },
      "GET {mount}/creds/{name}": {
        says: "generates credentials",
        real: "POST does the same",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "the answer, its lease, what it needs; never in a preview, given back when asked for",
        tests: [
          "wire secrets-cloud-credentials > of a user",
          "server/cloud-credential-rules > needs read for GET, update for POST",
          "live/functions > credentials of a user are a user of the cloud, who is gone when they are given back",
          "sdk/functions > %s issues nothing: its arguments are checked, its result is unknown",
          "e2e/functions-issue > gets keys that work when it waits until they are valid, and gives them back at the end",
        ],
      },
      "POST {mount}/sts/{name}": {
        says: "generates credentials",
        real: "GET does the same",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "the answer and its lease",
        tests: [
          "wire secrets-cloud-credentials > by sts of a role to assume",
          "wire secrets-cloud-credential-rules > a user through sts",
          "live/functions > credentials of an assumed role come from the endpoint %s",
        ],
      },
      "POST {mount}/static-roles/{name}": {
        says: "writes a static role, new or not",
        real: "200 with the record",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "create, change, nothing, unknown members",
        tests: [
          "wire secrets-cloud-rotation > create",
          "wire secrets-cloud-rotation > change nothing",
          "wire secrets-cloud-rotation > create with unknown members",
        ],
      },
      "GET {mount}/static-roles/{name}": {
        says: "reads the definition",
        real: "404 when there is none",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "both answers",
        tests: [
          "wire secrets-cloud-rotation > read",
          "wire secrets-cloud-rotation > read a static role that is not there",
        ],
      },
      "DELETE {mount}/static-roles/{name}": {
        says: "deletes the definition",
        real: "204, and the key that it made; a 500 where the key is gone already",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "the key's end, the user's stay, the failure and its second try",
        tests: [
          "wire secrets-cloud-rotation > delete",
          "wire secrets-cloud-rotation > delete a static role that is not there",
          "server/cloud-static-roles > deletes its key and leaves the user",
          "server/cloud-static-roles > fails when the key is gone already, and succeeds when tried again",
        ],
      },
      "GET {mount}/static-creds/{name}": {
        says: "returns the current credentials",
        real: "no lease; Vault since 1.19 says when they expire",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.7"],
        asserted: "the answer, the 404; reading rotates nothing",
        tests: [
          "wire secrets-cloud-rotation > read the credentials",
          "wire secrets-cloud-rotation > read credentials that are not there",
          "server/cloud-rotation > static credentials have no lease",
          "live/functions > static credentials are read as they are, and nothing is rotated by it",
        ],
      },
      "bodies of answers": {
        says: "not shown, nor how parameters travel on GET",
        real: "one envelope; parameters of a GET are its query",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 1.2"],
        asserted: "credentials by GET with parameters; the envelope",
        tests: [
          "wire secrets-cloud-credentials > of a role that is not allowed",
          "server/frame-bodies > has all members of the envelope, and Go's escapes and order",
        ],
      },
    },
  },
  "3 Authentication": {
    of: [],
    rows: {
      "1: configured keys": {
        says: "first of the sources of root credentials",
        real: "as documented",
        evidence: ["reference secrets 4.1"],
        asserted: "used although the environment has others",
        tests: ["server/cloud-root-sources > 1: static credentials in the configuration come first"],
      },
      "2: workload identity": {
        says: "second",
        real: "Enterprise",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "refused by the community edition's server",
        tests: ["server/cloud-root-sources > 2: workload identity federation is an Enterprise function"],
      },
      "3: environment": {
        says: "third: `CLOUD_ACCESS_KEY`, `CLOUD_SECRET_KEY`, `CLOUD_REGION` of the server",
        real: "the real server reads the cloud vendor's own names",
        evidence: ["reference secrets 4.1"],
        asserted: "taken when nothing is configured, by the command too",
        tests: [
          "server/cloud-root-sources > 3: then CLOUD_ACCESS_KEY and CLOUD_SECRET_KEY of the server's environment",
          "server/frame-command > takes root credentials and regions that are not configured from CLOUD_… of its environment",
        ],
      },
      "4: shared file": {
        says: "fourth",
        real: "as documented",
        evidence: ["reference secrets 4.1"],
        asserted: "taken when the environment has none",
        tests: ["server/cloud-root-sources > 4: then the shared credentials file"],
      },
      "5: role of the machine": {
        says: "last",
        real: "as documented",
        evidence: ["reference secrets 4.1"],
        asserted: "taken when there is no file; without any every type says so",
        tests: [
          "server/cloud-root-sources > 5: then the role that the machine was assigned",
          "server/cloud-root-sources > without any, every type says so when credentials are asked for",
        ],
      },
      "credentials are not checked": {
        says: "by the configuration call",
        real: "the first use asks the cloud who it is",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "a wrong key is stored and fails when used",
        tests: [
          "server/cloud-root-sources > the configuration call does not check the credentials; their first use does",
          "wire secrets-cloud-config > write an access key alone",
        ],
      },
      "callers of the endpoints": {
        says: "not shown",
        real: "a token whose policies grant the path",
        evidence: ["wire secrets-tokens-and-policies", "reference secrets 1.8"],
        asserted: "read for GET, update for POST; 403 without",
        tests: [
          "server/cloud-credential-rules > needs read for GET, update for POST",
          "wire secrets-tokens-and-policies > delete what the policy does not allow",
          "wire secrets-tokens-and-policies > read a role with an invalid token",
        ],
      },
    },
  },
} satisfies Sections;
