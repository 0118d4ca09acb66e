import type { Sections } from "./section.ts";

/** Policy set parameters: what the parameters of policy sets are. */
export const policy = {
  "policy: What the service does": {
    of: [],
    rows: {
      "parameters of a policy set": {
        says: "key/value pairs for the policy runtime of Sentinel; created, updated, listed and deleted",
        real: "as documented; the runtime is behind the API and cannot be seen through it",
        evidence: ["reference policy A.8"],
        asserted: "one parameter from the first to the last request",
      },
      editions: {
        says: "one policy set of five policies is free; the higher edition has version control and versions",
        real: "a missing entitlement is a 404, like a missing permission",
        evidence: ["reference policy A.5"],
        asserted: "such a 404 declares nothing gone; the message says what else it may mean",
      },
    },
  },
  "policy: Parameter": {
    of: ["policyParameter", "policyGetParameters"],
    rows: {
      "data.type": {
        says: "required, always `vars`",
        real: "another one is a 422",
        evidence: ["reference policy A.2"],
        asserted: "the envelope that is sent; another type is refused",
      },
      id: {
        says: "`data.id`: the parameter to update",
        real: "the server takes an update without it too",
        evidence: ["reference policy A.2"],
        asserted: "the id that create answers is the resource's, and update and delete use it",
      },
      key: {
        says: "name of the parameter, required on create",
        real: "128 characters, unique in its set; locked while sensitive",
        evidence: ["wire policy-refused", "reference policy A.5"],
        asserted: "blank, long and taken keys are refused; a sensitive parameter of another key is replaced",
      },
      value: {
        says: "empty unless given",
        real: "null on every answer while sensitive; 256 KB at most",
        evidence: ["wire policy-parameters", "reference policy A.3"],
        asserted: "null, absent and empty are the same; sent only when it changed; limits",
      },
      category: {
        says: "required on create, always `policy-set`",
        real: "another one, and none, is a 422",
        evidence: ["wire policy-refused", "reference policy A.5"],
        asserted: "both are refused in the API's words",
      },
      sensitive: {
        says: "off unless set; then nobody sees the value again",
        real: "can be switched on in place, not off",
        evidence: ["wire policy-parameters", "wire policy-refused", "reference policy A.5"],
        asserted: "the value disappears at once and stays known by its fingerprint; off replaces",
      },
      "an update leaves out": {
        says: "every attribute is optional on update; what is left out stays",
        real: "as documented; nothing at all is a 200",
        evidence: ["wire policy-parameters", "reference policy A.2"],
        asserted: "each attribute alone, and none",
      },
      "fields of the record": {
        says: "not shown beyond the attributes",
        real: "the set as a relationship and links besides; other members may come",
        evidence: ["wire policy-parameters", "reference policy A.3"],
        asserted: "the shape; unknown members are ignored",
      },
    },
  },
} satisfies Sections;
