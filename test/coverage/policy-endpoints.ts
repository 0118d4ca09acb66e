import type { Sections } from "./section.ts";

/** Document 2, part A: endpoints and what holds for them. */
export const policyEndpoints = {
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
          "contract/traps/policy-traps > a create whose answer was lost records what it has made, and the next run updates it",
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
        asserted:
          "the headers, the 31st request, the body with a number as status, whose limit it is, and that the client waits until all is there",
        tests: [
          "server/policy-requests > counts down within a second and says in fractions when it starts anew",
          "unit/http/send > after %d with %j are what the server asks for",
          "unit/http/rate-limit > of %d requests a second loses none of %d creates, 64 at a time and without retries",
          "server/policy-requests > rate limiting",
          "unit/rules/policy-and-sys > a policy.Parameter",
          "server/policy-load > lets thirty of a thousand requests through that come at the same time, and creates no more",
          "server/policy-load > is the address's for who has no token or a wrong one, so that they use nobody's up",
          "server/policy-load > is waited for by the provider, and every parameter is there in the end",
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
