import { defineScenario, refused, step } from "../../scenario.mts";

const collection = "policy-sets/{policySet}/parameters";
const elsewhere = "policy-sets/polset-0000000000000000";
const vars = (attributes: Record<string, unknown>) => ({ data: { type: "vars", attributes } });
const first = { key: "password", value: "hidden", category: "policy-set", sensitive: true };

/** What the API refuses, and in which words. */
export const policyRefused = defineScenario({
  topic: "refused",
  service: "policy",
  before: [{ request: `POST ${collection}`, body: vars(first), keep: { sensitive: "/data/id" } }],
  steps: [
    // @covers policy: Authentication, errors, limits, versions > authentication
    step(
      "a list without a token",
      `GET ${collection}`,
      refused(/^401 unauthorized .*The token is missing or no longer valid/),
      { section: "A.5", as: "nobody" },
    ),
    // @covers policy: Authentication, errors, limits, versions > authentication
    step(
      "a create with an invalid token",
      `POST ${collection}`,
      refused(/^401 unauthorized .*The token is missing or no longer valid/),
      { section: "A.5", as: "stranger", body: vars({ key: "a", category: "policy-set" }) },
    ),
    // @covers policy: Authentication, errors, limits, versions > authentication
    step(
      "a policy set that nobody may read",
      `GET ${elsewhere}`,
      refused(/^404 not found .*The token cannot read the parameters of policy-sets\/polset-0{16}/),
      { section: "A.5" },
    ),
    step(
      "a list of another policy set",
      `GET ${elsewhere}/parameters`,
      refused(/^404 not found .*The token cannot read the parameters of policy-sets\/polset-0{16}/),
      { section: "A.5" },
    ),
    // @covers policy: Endpoints > POST policy-sets/{policySetId}/parameters
    step(
      "a create in another policy set",
      `POST ${elsewhere}/parameters`,
      refused(/^404 not found .*Either polset-0{16} does not exist, or the token may not manage policies/),
      { section: "A.5", body: vars({ key: "a", category: "policy-set" }) },
    ),
    // @covers policy: Endpoints > PATCH policy-sets/{policySetId}/parameters/{parameterId}
    step(
      "an update in another policy set",
      `PATCH ${elsewhere}/parameters/var-0000000000000000`,
      refused(/^404 not found .*The token cannot read the parameters of/),
      { section: "A.5", body: vars({ value: "a" }) },
    ),
    // @covers policy: Authentication, errors, limits, versions > status codes and bodies
    step("plain JSON", `POST ${collection}`, refused(/^415 content-type must be application\/vnd\.api\+json/), {
      section: "A.5",
      headers: { "content-type": "application/json" },
      body: vars({ key: "a", category: "policy-set" }),
    }),
    // @covers policy: Authentication, errors, limits, versions > status codes and bodies
    step(
      "a delete in plain JSON",
      `DELETE ${collection}/{sensitive}`,
      refused(/^415 content-type must be application\/vnd\.api\+json/),
      { section: "A.5", headers: { "content-type": "application/json" } },
    ),
    // @covers policy: Parameter > key
    step("a key that is taken", `POST ${collection}`, refused(/^422 Key has already been taken/), {
      section: "A.5",
      body: vars({ key: "password", category: "policy-set" }),
    }),
    // @covers policy: Parameter > key
    step("a blank key", `POST ${collection}`, refused(/^422 Key can't be blank/), {
      section: "A.5",
      body: vars({ key: "", category: "policy-set" }),
    }),
    // @covers policy: Parameter > category
    step("a category of workspaces", `POST ${collection}`, refused(/^422 Category is not included in the list/), {
      section: "A.5",
      body: vars({ key: "a", category: "env" }),
    }),
    // @covers policy: Parameter > category
    step(
      "no category",
      `POST ${collection}`,
      refused(/^422 Category can't be blank; Category is not included in the list/),
      { section: "A.5", body: vars({ key: "a" }) },
    ),
    // @covers policy: Parameter > sensitive
    step(
      "a sensitive parameter made readable",
      `PATCH ${collection}/{sensitive}`,
      refused(/^422 Sensitive cannot be changed from true to false .*Sensitive cannot be updated/),
      { section: "A.5", body: vars({ sensitive: false }) },
    ),
    // @covers policy: Endpoints > PATCH policy-sets/{policySetId}/parameters/{parameterId}
    step(
      "another key for a sensitive parameter",
      `PATCH ${collection}/{sensitive}`,
      refused(/^422 Key cannot be updated for a sensitive variable/),
      { section: "A.5", body: vars({ key: "secret" }) },
    ),
    step(
      "more than thirty requests in a second",
      `PATCH ${collection}/{sensitive}`,
      refused(/^429 You have exceeded the API's rate limit\. .*The rate limit of 30 requests a second is used up/),
      { section: "A.5", body: vars({ value: "other" }) },
    ),
    // @covers policy: Authentication, errors, limits, versions > versions
    step("ping", "GET ping", "document", { section: "A.7", as: "nobody" }),
  ],
});
