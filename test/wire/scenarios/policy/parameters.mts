import { defineScenario } from "../../scenario.mts";

const collection = "policy-sets/{policySet}/parameters";
const vars = (attributes: Record<string, unknown>) => ({ data: { type: "vars", attributes } });

/** A plain and a sensitive parameter from the first to the last request. */
export const policyParameters = defineScenario({
  topic: "parameters",
  service: "policy",
  servers: ["reference"],
  steps: [
    // @covers policy: Endpoints > GET policy-sets/{policySetId}/parameters
    { title: "no parameters yet", section: "A.4", request: `GET ${collection}`, outcome: "ok" },
    // @covers policy: What the service does > parameters of a policy set
    // @covers policy: Endpoints > POST policy-sets/{policySetId}/parameters
    {
      title: "a plain parameter",
      section: "A.3",
      request: `POST ${collection}`,
      body: vars({ key: "region", value: "north", category: "policy-set" }),
      keep: { plain: "/data/id" },
      outcome: "ok",
    },
    // @covers policy: Parameter > sensitive
    {
      title: "a sensitive parameter, whose value is null at once",
      section: "A.3",
      request: `POST ${collection}`,
      body: vars({ key: "password", value: "hidden", category: "policy-set", sensitive: true }),
      keep: { sensitive: "/data/id" },
      outcome: "ok",
    },
    // @covers policy: What the service does > parameters of a policy set
    // @covers policy: Endpoints > GET policy-sets/{policySetId}/parameters
    { title: "both of them", section: "A.4", request: `GET ${collection}`, outcome: "ok" },
    // @covers policy: Endpoints > 2: page[size]
    { title: "the first of two pages", section: "A.4", request: `GET ${collection}?page[size]=1`, outcome: "ok" },
    // @covers policy: Endpoints > 1: page[number]
    {
      title: "the second of two pages",
      section: "A.4",
      request: `GET ${collection}?page[number]=2&page[size]=1`,
      outcome: "ok",
    },
    { title: "one of them", section: "A.3", request: `GET ${collection}/{plain}`, outcome: "ok" },
    // @covers policy: What the service does > parameters of a policy set
    // @covers policy: Parameter > id
    {
      title: "another value and key",
      section: "A.2",
      request: `PATCH ${collection}/{plain}`,
      body: vars({ key: "zone", value: "" }),
      outcome: "ok",
    },
    // @covers policy: Parameter > an update leaves out
    {
      title: "a change of nothing",
      section: "A.2",
      request: `PATCH ${collection}/{plain}`,
      body: vars({}),
      outcome: "ok",
    },
    // @covers policy: Endpoints > PATCH policy-sets/{policySetId}/parameters/{parameterId}
    {
      title: "another sensitive value",
      section: "A.3",
      request: `PATCH ${collection}/{sensitive}`,
      body: vars({ value: "other" }),
      outcome: "ok",
    },
    // @covers policy: Parameter > sensitive
    {
      title: "a parameter becomes sensitive",
      section: "A.5",
      request: `PATCH ${collection}/{plain}`,
      body: vars({ sensitive: true }),
      outcome: "ok",
    },
    {
      title: "the policy set can be read",
      section: "A.9.7",
      request: "GET policy-sets/{policySet}",
      outcome: "document",
    },
    // @covers policy: What the service does > parameters of a policy set
    // @covers policy: Endpoints > DELETE policy-sets/{policySetId}/parameters/{parameterId}
    { title: "a delete", section: "A.1", request: `DELETE ${collection}/{plain}`, outcome: "ok" },
    { title: "what was deleted", section: "A.5", request: `GET ${collection}/{plain}`, outcome: "absent" },
    // @covers policy: Endpoints > DELETE policy-sets/{policySetId}/parameters/{parameterId}
    { title: "a second delete", section: "A.5", request: `DELETE ${collection}/{plain}`, outcome: "absent" },
    { title: "a delete of the other one", section: "A.1", request: `DELETE ${collection}/{sensitive}`, outcome: "ok" },
  ],
});
