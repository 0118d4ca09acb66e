import type { Sections } from "./section.ts";

/** Policy set parameters: endpoints and what holds for them. */
export const policyEndpoints = {
  "policy: Endpoints": {
    of: [],
    evidence: ["reference policy A.4"],
    rows: {
      "POST policy-sets/{policySetId}/parameters": {
        says: "answers the created parameter",
        real: "201; 422 for what is wrong; an unknown set is a 404",
        evidence: ["wire policy-parameters", "wire policy-refused", "reference policy A.1"],
        asserted: "the answer and the refusals; a lost answer does not make two",
      },
      "GET policy-sets/{policySetId}/parameters": {
        says: "answers the list",
        evidence: ["wire policy-parameters", "reference policy A.4"],
        asserted: "none, some, and one list for all parameters of a set",
      },
      "PATCH policy-sets/{policySetId}/parameters/{parameterId}": {
        says: "answers the updated parameter",
        real: "200",
        evidence: ["wire policy-parameters", "reference policy A.1"],
        asserted: "the answer, an unknown parameter and the locks of a sensitive one",
      },
      "DELETE policy-sets/{policySetId}/parameters/{parameterId}": {
        says: "answer not shown",
        real: "204; 404 when it is gone already",
        evidence: ["wire policy-parameters", "reference policy A.1"],
        asserted: "both; for the program either is a success",
      },
      "1: page[number]": {
        says: "optional; else the first page",
        real: "a page beyond the end is empty",
        asserted: "pages by number, also beyond the end",
      },
      "2: page[size]": {
        says: "optional; else 20",
        real: "100 at most",
        asserted: "the default, a given size, the most",
      },
      "3: no page": {
        says: "without both the list is whole",
        asserted: "25 parameters at once; the provider asks so",
      },
      "4: brackets": {
        says: "are percent-encoded",
        real: "both forms are taken, links have the encoded one",
        asserted: "both forms in requests, the encoded one in links",
      },
    },
  },
  "policy: Authentication, errors, limits, versions": {
    of: [],
    rows: {
      authentication: {
        says: "not shown",
        real: "a bearer token; 401 without, 404 without the right",
        evidence: ["wire policy-refused", "reference policy A.5"],
        asserted: "no token, an invalid one, a set that nobody may read",
      },
      "status codes and bodies": {
        says: "not shown",
        real: "a list of errors with status, title, detail and pointer; the status may be a number; 415 for another media type",
        evidence: ["wire policy-refused", "reference policy A.5"],
        asserted: "the bodies, and what the client says of them",
      },
      "default page size": {
        says: "20",
        evidence: ["reference policy A.4"],
        asserted: "25 parameters make two pages",
      },
      "free edition": {
        says: "a single policy set with five policies at most",
        real: "counts policies, not parameters; what is not bought is a 404",
        evidence: ["reference policy A.5"],
        asserted: "a 404 of a set declares no parameter gone",
      },
      "rate and size limits": {
        says: "not shown",
        real: "30 requests a second for each user, told in headers; then 429; 128 characters of key, 256 KB of value",
        evidence: ["wire policy-refused", "reference policy A.6"],
        asserted:
          "the headers, the 31st request, the body with a number as status, whose limit it is, and that the client waits until all is there",
      },
      versions: {
        says: "not shown",
        real: "`/api/v2`; releases in headers of every answer, `ping` needs no token",
        evidence: ["wire policy-refused", "reference policy A.7"],
        asserted: "ping and discovery",
      },
    },
  },
} satisfies Sections;
