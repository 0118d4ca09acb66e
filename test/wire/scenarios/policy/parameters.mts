import { defineScenario, step } from "../../scenario.mts";

const collection = "policy-sets/{policySet}/parameters";
const vars = (attributes: Record<string, unknown>) => ({ data: { type: "vars", attributes } });

/** A plain and a sensitive parameter from the first to the last request. */
export const policyParameters = defineScenario({
  topic: "parameters",
  service: "policy",
  steps: [
    // @covers policy: Endpoints > GET policy-sets/{policySetId}/parameters
    step("no parameters yet", `GET ${collection}`, "ok", { section: "A.4" }),
    // @covers policy: What the service does > parameters of a policy set
    // @covers policy: Endpoints > POST policy-sets/{policySetId}/parameters
    step("a plain parameter", `POST ${collection}`, "ok", {
      section: "A.3",
      body: vars({ key: "region", value: "north", category: "policy-set" }),
      keep: { plain: "/data/id" },
    }),
    // @covers policy: Parameter > sensitive
    step("a sensitive parameter, whose value is null at once", `POST ${collection}`, "ok", {
      section: "A.3",
      body: vars({ key: "password", value: "hidden", category: "policy-set", sensitive: true }),
      keep: { sensitive: "/data/id" },
    }),
    // @covers policy: What the service does > parameters of a policy set
    // @covers policy: Endpoints > GET policy-sets/{policySetId}/parameters
    step("both of them", `GET ${collection}`, "ok", { section: "A.4" }),
    // @covers policy: Endpoints > 2: page[size]
    step("the first of two pages", `GET ${collection}?page[size]=1`, "ok", { section: "A.4" }),
    // @covers policy: Endpoints > 1: page[number]
    step("the second of two pages", `GET ${collection}?page[number]=2&page[size]=1`, "ok", { section: "A.4" }),
    step("one of them", `GET ${collection}/{plain}`, "ok", { section: "A.3" }),
    // @covers policy: What the service does > parameters of a policy set
    // @covers policy: Parameter > id
    step("another value and key", `PATCH ${collection}/{plain}`, "ok", {
      section: "A.2",
      body: vars({ key: "zone", value: "" }),
    }),
    // @covers policy: Parameter > an update leaves out
    step("a change of nothing", `PATCH ${collection}/{plain}`, "ok", { section: "A.2", body: vars({}) }),
    // @covers policy: Endpoints > PATCH policy-sets/{policySetId}/parameters/{parameterId}
    step("another sensitive value", `PATCH ${collection}/{sensitive}`, "ok", {
      section: "A.3",
      body: vars({ value: "other" }),
    }),
    // @covers policy: Parameter > sensitive
    step("a parameter becomes sensitive", `PATCH ${collection}/{plain}`, "ok", {
      section: "A.5",
      body: vars({ sensitive: true }),
    }),
    step("the policy set can be read", "GET policy-sets/{policySet}", "document", { section: "A.9.7" }),
    // @covers policy: What the service does > parameters of a policy set
    // @covers policy: Endpoints > DELETE policy-sets/{policySetId}/parameters/{parameterId}
    step("a delete", `DELETE ${collection}/{plain}`, "ok", { section: "A.1" }),
    step("what was deleted", `GET ${collection}/{plain}`, "absent", { section: "A.5" }),
    // @covers policy: Endpoints > DELETE policy-sets/{policySetId}/parameters/{parameterId}
    step("a second delete", `DELETE ${collection}/{plain}`, "absent", { section: "A.5" }),
    step("a delete of the other one", `DELETE ${collection}/{sensitive}`, "ok", { section: "A.1" }),
  ],
});
