import type { Sections } from "./section.ts";

/** Document 2, part A: the parameters of policy sets. */
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
  "2A Endpoints": {
    of: [],
    rows: {
      "POST policy-sets/{policySetId}/parameters": {
        says: "answers the created parameter",
        real: "201; 422 for what is wrong; an unknown set is a 404",
        evidence: ["wire policy-parameters", "wire policy-refused", "reference policy A.1"],
        asserted: "the answer and the refusals; a lost answer does not make two",
        tests: [
          "wire policy-parameters > a plain parameter",
          "wire policy-refused > a create in another policy set",
          "contract/traps/policy-traps > a create whose answer was lost finds its own record the next time, and takes it over",
        ],
      },
      "GET policy-sets/{policySetId}/parameters": {
        says: "answers the list",
        real: "as documented",
        evidence: ["wire policy-parameters", "reference policy A.4"],
        asserted: "none, some, and one list for all parameters of a set",
        tests: [
          "wire policy-parameters > no parameters yet",
          "wire policy-parameters > both of them",
          "contract/requests > a refresh lists a policy set once",
        ],
      },
      "PATCH policy-sets/{policySetId}/parameters/{parameterId}": {
        says: "answers the updated parameter",
        real: "200",
        evidence: ["wire policy-parameters", "reference policy A.1"],
        asserted: "the answer, an unknown parameter and the locks of a sensitive one",
        tests: [
          "wire policy-parameters > another sensitive value",
          "wire policy-refused > an update in another policy set",
          "wire policy-refused > another key for a sensitive parameter",
        ],
      },
      "DELETE policy-sets/{policySetId}/parameters/{parameterId}": {
        says: "answer not shown",
        real: "204; 404 when it is gone already",
        evidence: ["wire policy-parameters", "reference policy A.1"],
        asserted: "both; for the program either is a success",
        tests: [
          "wire policy-parameters > a delete",
          "wire policy-parameters > a second delete",
          "contract/traps/policy-traps > a parameter that is gone is gone without an error, and deleting it is a success",
        ],
      },
      "1: page[number]": {
        says: "optional; else the first page",
        real: "a page beyond the end is empty",
        evidence: ["reference policy A.4"],
        asserted: "pages by number, also beyond the end",
        tests: [
          "server/policy-requests > cuts ?page[number]=9&page[size]=10",
          "wire policy-parameters > the second of two pages",
        ],
      },
      "2: page[size]": {
        says: "optional; else 20",
        real: "100 at most",
        evidence: ["reference policy A.4"],
        asserted: "the default, a given size, the most",
        tests: [
          "server/policy-requests > cuts ?page%5Bnumber%5D=2",
          "server/policy-requests > cuts ?page[size]=500",
          "wire policy-parameters > the first of two pages",
        ],
      },
      "3: no page": {
        says: "without both the list is whole",
        real: "as documented",
        evidence: ["reference policy A.4"],
        asserted: "25 parameters at once; the provider asks so",
        tests: [
          "server/policy-requests > has every parameter and nothing else when no page is asked for",
          "contract/traps/policy-traps > a list is asked for whole, without pages",
        ],
      },
      "4: brackets": {
        says: "are percent-encoded",
        real: "both forms are taken, links have the encoded one",
        evidence: ["reference policy A.4"],
        asserted: "both forms in requests, the encoded one in links",
        tests: [
          "server/policy-requests > links the neighbours with encoded brackets",
          "server/policy-requests > cuts ?page%5Bnumber%5D=2",
        ],
      },
    },
  },
  "2A Authentication, errors, limits, versions": {
    of: [],
    rows: {
      authentication: {
        says: "not shown",
        real: "a bearer token; 401 without, 404 without the right",
        evidence: ["wire policy-refused", "reference policy A.5"],
        asserted: "no token, an invalid one, a set that nobody may read",
        tests: [
          "wire policy-refused > a list without a token",
          "wire policy-refused > a create with an invalid token",
          "wire policy-refused > a policy set that nobody may read",
          "unit/dialects/tfe > with the token %s has its headers",
        ],
      },
      "status codes and bodies": {
        says: "not shown",
        real: "a list of errors with status, title, detail and pointer; the status may be a number; 415 for another media type",
        evidence: ["wire policy-refused", "reference policy A.5"],
        asserted: "the bodies, and what the client says of them",
        tests: [
          "wire policy-refused > plain JSON",
          "wire policy-refused > a delete in plain JSON",
          "server/policy-records > names several at once",
          "contract/traps/policy-traps > the status inside an error may be a text or a number",
        ],
      },
      "default page size": {
        says: "20",
        real: "as documented",
        evidence: ["reference policy A.4"],
        asserted: "25 parameters make two pages",
        tests: ["server/policy-requests > cuts ?page%5Bnumber%5D=2"],
      },
      "free edition": {
        says: "a single policy set with five policies at most",
        real: "counts policies, not parameters; what is not bought is a 404",
        evidence: ["reference policy A.5"],
        asserted: "a 404 of a set declares no parameter gone",
        tests: [
          "contract/functions > names the set that cannot be read",
          "contract/traps/policy-traps > a 404 that may mean no permission declares nothing gone while the set cannot be read",
        ],
      },
      "rate and size limits": {
        says: "not shown",
        real: "30 requests a second for each user, told in headers; then 429; 128 characters of key, 256 KB of value",
        evidence: ["wire policy-refused", "reference policy A.6"],
        asserted: "the headers, the 31st request, the body with a number as status, and that the client waits",
        tests: [
          "server/policy-requests > counts down within a second and says in fractions when it starts anew",
          "unit/http/send > after %d with %j are what the server asks for",
          "server/policy-requests > rate limiting",
          "unit/rules/policy-and-sys > a policy.Parameter",
        ],
      },
      versions: {
        says: "not shown",
        real: "`/api/v2`; releases in headers of every answer, `ping` needs no token",
        evidence: ["wire policy-refused", "reference policy A.7"],
        asserted: "ping and discovery",
        tests: ["wire policy-refused > ping", "server/policy-requests > answers ping and discovery without a token"],
      },
    },
  },
} satisfies Sections;
