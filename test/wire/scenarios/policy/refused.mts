import { defineScenario, refused } from "../../scenario.mts";

const collection = "policy-sets/{policySet}/parameters";
const elsewhere = "policy-sets/polset-0000000000000000";
const vars = (attributes: Record<string, unknown>) => ({ data: { type: "vars", attributes } });
const first = { key: "password", value: "hidden", category: "policy-set", sensitive: true };

/** What the API refuses, and in which words. */
export const policyRefused = defineScenario({
  topic: "refused",
  service: "policy",
  servers: ["reference"],
  before: [{ request: `POST ${collection}`, body: vars(first), keep: { sensitive: "/data/id" } }],
  steps: [
    // @covers policy: Authentication, errors, limits, versions > authentication
    {
      title: "a list without a token",
      section: "A.5",
      request: `GET ${collection}`,
      as: "nobody",
      outcome: refused(/^401 unauthorized .*The token is missing or no longer valid/),
    },
    // @covers policy: Authentication, errors, limits, versions > authentication
    {
      title: "a create with an invalid token",
      section: "A.5",
      request: `POST ${collection}`,
      as: "stranger",
      body: vars({ key: "a", category: "policy-set" }),
      outcome: refused(/^401 unauthorized .*The token is missing or no longer valid/),
    },
    // @covers policy: Authentication, errors, limits, versions > authentication
    {
      title: "a policy set that nobody may read",
      section: "A.5",
      request: `GET ${elsewhere}`,
      outcome: refused(/^404 not found .*The token cannot read the parameters of policy-sets\/polset-0{16}/),
    },
    {
      title: "a list of another policy set",
      section: "A.5",
      request: `GET ${elsewhere}/parameters`,
      outcome: refused(/^404 not found .*The token cannot read the parameters of policy-sets\/polset-0{16}/),
    },
    // @covers policy: Endpoints > POST policy-sets/{policySetId}/parameters
    {
      title: "a create in another policy set",
      section: "A.5",
      request: `POST ${elsewhere}/parameters`,
      body: vars({ key: "a", category: "policy-set" }),
      outcome: refused(/^404 not found .*Either polset-0{16} does not exist, or the token may not manage policies/),
    },
    // @covers policy: Endpoints > PATCH policy-sets/{policySetId}/parameters/{parameterId}
    {
      title: "an update in another policy set",
      section: "A.5",
      request: `PATCH ${elsewhere}/parameters/var-0000000000000000`,
      body: vars({ value: "a" }),
      outcome: refused(/^404 not found .*The token cannot read the parameters of/),
    },
    // @covers policy: Authentication, errors, limits, versions > status codes and bodies
    {
      title: "plain JSON",
      section: "A.5",
      request: `POST ${collection}`,
      headers: { "content-type": "application/json" },
      body: vars({ key: "a", category: "policy-set" }),
      outcome: refused(/^415 content-type must be application\/vnd\.api\+json/),
    },
    // @covers policy: Authentication, errors, limits, versions > status codes and bodies
    {
      title: "a delete in plain JSON",
      section: "A.5",
      request: `DELETE ${collection}/{sensitive}`,
      headers: { "content-type": "application/json" },
      outcome: refused(/^415 content-type must be application\/vnd\.api\+json/),
    },
    // @covers policy: Parameter > key
    {
      title: "a key that is taken",
      section: "A.5",
      request: `POST ${collection}`,
      body: vars({ key: "password", category: "policy-set" }),
      outcome: refused(/^422 Key has already been taken/),
    },
    // @covers policy: Parameter > key
    {
      title: "a blank key",
      section: "A.5",
      request: `POST ${collection}`,
      body: vars({ key: "", category: "policy-set" }),
      outcome: refused(/^422 Key can't be blank/),
    },
    // @covers policy: Parameter > category
    {
      title: "a category of workspaces",
      section: "A.5",
      request: `POST ${collection}`,
      body: vars({ key: "a", category: "env" }),
      outcome: refused(/^422 Category is not included in the list/),
    },
    // @covers policy: Parameter > category
    {
      title: "no category",
      section: "A.5",
      request: `POST ${collection}`,
      body: vars({ key: "a" }),
      outcome: refused(/^422 Category can't be blank; Category is not included in the list/),
    },
    // @covers policy: Parameter > sensitive
    {
      title: "a sensitive parameter made readable",
      section: "A.5",
      request: `PATCH ${collection}/{sensitive}`,
      body: vars({ sensitive: false }),
      outcome: refused(/^422 Sensitive cannot be changed from true to false .*Sensitive cannot be updated/),
    },
    // @covers policy: Endpoints > PATCH policy-sets/{policySetId}/parameters/{parameterId}
    {
      title: "another key for a sensitive parameter",
      section: "A.5",
      request: `PATCH ${collection}/{sensitive}`,
      body: vars({ key: "secret" }),
      outcome: refused(/^422 Key cannot be updated for a sensitive variable/),
    },
    {
      title: "more than thirty requests in a second",
      section: "A.5",
      request: `PATCH ${collection}/{sensitive}`,
      body: vars({ value: "other" }),
      outcome: refused(
        /^429 You have exceeded the API's rate limit\. .*The rate limit of 30 requests a second is used up/,
      ),
    },
    // @covers policy: Authentication, errors, limits, versions > versions
    { title: "ping", section: "A.7", request: "GET ping", as: "nobody", outcome: "document" },
  ],
});
