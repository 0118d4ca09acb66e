import type { Sections } from "./section.ts";

/** Document 2, part A: what the parameters of policy sets are. */
export const policy = {
  "2A What the service does": {
    of: [],
    rows: {
      "parameters of a policy set": {
        says: "key/value pairs for the policy runtime of Sentinel; created, updated, listed and deleted",
        real: "as documented; the runtime is behind the API and cannot be seen through it",
        evidence: ["reference policy A.8"],
        asserted: "one parameter from the first to the last request",
        tests: [
          "wire policy-parameters > a plain parameter",
          "wire policy-parameters > another value and key",
          "wire policy-parameters > both of them",
          "wire policy-parameters > a delete",
        ],
      },
      editions: {
        says: "one policy set of five policies is free; the higher edition has version control and versions",
        real: "a missing entitlement is a 404, like a missing permission",
        evidence: ["reference policy A.5"],
        asserted: "such a 404 declares nothing gone; the message says what else it may mean",
        tests: [
          "contract/traps/policy-traps > a 404 that may mean no permission declares nothing gone while the set cannot be read",
          "unit/dialects/tfe > %d to %s is said",
        ],
      },
    },
  },
  "2A Parameter": {
    of: ["policyParameter", "policyGetParameters"],
    rows: {
      "data.type": {
        says: "required, always `vars`",
        real: "another one is a 422",
        evidence: ["reference policy A.2"],
        asserted: "the envelope that is sent; another type is refused",
        tests: [
          "unit/dialects/tfe > of %j is an envelope",
          "server/policy-records > answers the malformed body %j with %i",
        ],
      },
      id: {
        says: "`data.id`: the parameter to update",
        real: "the server takes an update without it too",
        evidence: ["reference policy A.2"],
        asserted: "the id that create answers is the resource's, and update and delete use it",
        tests: [
          "wire policy-parameters > another value and key",
          "contract/traps/policy-traps > an import is <set>/<parameter>, and a sensitive value is sent with the first update",
        ],
      },
      key: {
        says: "name of the parameter, required on create",
        real: "128 characters, unique in its set; locked while sensitive",
        evidence: ["wire policy-refused", "reference policy A.5"],
        asserted: "blank, long and taken keys are refused; a sensitive parameter of another key is replaced",
        tests: [
          "wire policy-refused > a key that is taken",
          "wire policy-refused > a blank key",
          "server/policy-records > accepts a key of 128 characters, a value of 256 KB and the same key in another set",
          "contract/traps/policy-traps > replaced is what the API cannot change: the set, sensitive to plain, and a sensitive parameter's key",
        ],
      },
      value: {
        says: "empty unless given",
        real: "null on every answer while sensitive; 256 KB at most",
        evidence: ["wire policy-parameters", "reference policy A.3"],
        asserted: "null, absent and empty are the same; sent only when it changed; limits",
        tests: [
          "server/policy-records > with %j has the value %j",
          "contract/traps/policy-traps > null, absent and empty values are the same",
          "contract/traps/policy-traps > an unrelated change does not send the value, which may have been changed elsewhere",
          "server/policy-records > names a value over 256 KB",
        ],
      },
      category: {
        says: "required on create, always `policy-set`",
        real: "another one, and none, is a 422",
        evidence: ["wire policy-refused", "reference policy A.5"],
        asserted: "both are refused in the API's words",
        tests: [
          "wire policy-refused > a category of workspaces",
          "wire policy-refused > no category",
          "contract/cases/policy-parameter > the default and an unset category",
        ],
      },
      sensitive: {
        says: "off unless set; then nobody sees the value again",
        real: "can be switched on in place, not off",
        evidence: ["wire policy-parameters", "wire policy-refused", "reference policy A.5"],
        asserted: "the value disappears at once and stays known by its fingerprint; off replaces",
        tests: [
          "wire policy-parameters > a sensitive parameter, whose value is null at once",
          "wire policy-parameters > a parameter becomes sensitive",
          "wire policy-refused > a sensitive parameter made readable",
          "contract/traps/policy-traps > a value is hidden only when it is sensitive",
        ],
      },
      "an update leaves out": {
        says: "every attribute is optional on update; what is left out stays",
        real: "as documented; nothing at all is a 200",
        evidence: ["wire policy-parameters", "reference policy A.2"],
        asserted: "each attribute alone, and none",
        tests: [
          "server/policy-records > keeps what a PATCH of %s leaves out",
          "wire policy-parameters > a change of nothing",
        ],
      },
      "fields of the record": {
        says: "not shown beyond the attributes",
        real: "the set as a relationship and links besides; other members may come",
        evidence: ["wire policy-parameters", "reference policy A.3"],
        asserted: "the shape; unknown members are ignored",
        tests: [
          "server/policy-records > is created with 201 and shown in the documented shape",
          "contract/traps/policy-traps > members that no row knows are ignored",
        ],
      },
    },
  },
} satisfies Sections;
