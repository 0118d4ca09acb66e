import type { Sections } from "./section.ts";

/** Cloud secrets engine: endpoints. */
export const cloudEndpoints = {
  "cloud: Endpoints": {
    of: [],
    evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
    rows: {
      "POST {mount}/config/root": {
        says: "sets the root credentials, over those that are there",
        real: "Vault since 1.19 merges, older releases and OpenBao replace",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "one field alone, all of them, none; every write of the provider is whole",
      },
      "GET {mount}/config/root": {
        says: "returns what is not secret; never `secret_key`",
        real: "404 until written",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "both answers",
      },
      "POST {mount}/config/rotate-root": {
        says: "rotates the configured key, returns the new one's id",
        real: "as documented; a 400 without a key",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.2"],
        asserted:
          "the key at the cloud and in the configuration; only when the triggers change; never a difference, and the old key never sent again",
      },
      "POST {mount}/config/lease": {
        says: "sets `lease` and `lease_max`",
        real: "204; both every time",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.3"],
        asserted: "what is taken and refused",
      },
      "GET {mount}/config/lease": {
        says: "returns the current settings",
        real: "404 until written; texts as Go prints durations",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.3"],
        asserted: "both answers",
      },
      "POST {mount}/roles/{name}": {
        says: "writes the role, new or not",
        real: "merges, then checks the whole; 204, or 200 with warnings",
        asserted: "create, update of one field, reset; the program's state wins whatever was there",
      },
      "GET {mount}/roles/{name}": {
        says: "returns the role",
        real: "404 when there is none",
        asserted: "keys and unset values, the 404",
      },
      "GET {mount}/roles?list=true": {
        says: "LIST: all roles",
        real: "the verb LIST or `?list=true`; 404 when there is none",
        asserted: "both ways of asking and the empty list",
      },
      "DELETE {mount}/roles/{name}": {
        says: "deletes the role",
        real: "204, whether or not it was there",
        asserted: "gone afterwards, a second time is a success, its leases live on",
      },
      "GET {mount}/creds/{name}": {
        says: "generates credentials",
        real: "POST does the same",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "the answer, its lease, what it needs; never in a preview, given back when asked for",
      },
      "POST {mount}/sts/{name}": {
        says: "generates credentials",
        real: "GET does the same",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "the answer and its lease",
      },
      "POST {mount}/static-roles/{name}": {
        says: "writes a static role, new or not",
        real: "200 with the record",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "create, change, nothing, unknown members",
      },
      "GET {mount}/static-roles/{name}": {
        says: "reads the definition",
        real: "404 when there is none",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "both answers",
      },
      "DELETE {mount}/static-roles/{name}": {
        says: "deletes the definition",
        real: "204, and the key that it made; a 500 where the key is gone already",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "the key's end, the user's stay, the failure and its second try",
      },
      "GET {mount}/static-creds/{name}": {
        says: "returns the current credentials",
        real: "no lease; Vault since 1.19 says when they expire",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.7"],
        asserted: "the answer, the 404; reading rotates nothing",
      },
      "bodies of answers": {
        says: "not shown, nor how parameters travel on GET",
        real: "one envelope; parameters of a GET are its query",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 1.2"],
        asserted: "credentials by GET with parameters; the envelope",
      },
    },
  },
  "cloud: Authentication": {
    of: [],
    evidence: ["reference secrets 4.1"],
    rows: {
      "1: configured keys": {
        says: "first of the sources of root credentials",
        asserted: "used although the environment has others",
      },
      "2: workload identity": {
        says: "second",
        real: "Enterprise",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "refused by the community edition's server",
      },
      "3: environment": {
        says: "third: `CLOUD_ACCESS_KEY`, `CLOUD_SECRET_KEY`, `CLOUD_REGION` of the server",
        real: "the real server reads the cloud vendor's own names",
        asserted: "taken when nothing is configured, by the command too",
      },
      "4: shared file": {
        says: "fourth",
        asserted: "taken when the environment has none",
      },
      "5: role of the machine": {
        says: "last",
        asserted: "taken when there is no file; without any every type says so",
      },
      "credentials are not checked": {
        says: "by the configuration call",
        real: "the first use asks the cloud who it is",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "a wrong key is stored and fails when used",
      },
      "callers of the endpoints": {
        says: "not shown",
        real: "a token whose policies grant the path",
        evidence: ["wire secrets-tokens-and-policies", "reference secrets 1.8"],
        asserted: "read for GET, update for POST; 403 without",
      },
    },
  },
} satisfies Sections;
