import type { Values } from "../../../provider/core/definition.ts";
import { changed, defineCase, replaced } from "../../support/contract-case.ts";

const otherSet = "polset-demo000000000002";

export const policyParameterCase = defineCase("policyParameter", {
  async prepare(world) {
    const { policySet } = world.servers.policy;
    const raw = world.raw("policy");
    const key = world.fresh("key");
    const path = (state: Values) =>
      `policy-sets/${String(state["policySetId"])}/parameters/${String(state["parameterId"])}`;
    return {
      minimal: { policySetId: policySet, key },
      full: { policySetId: policySet, key, value: "eu-west-1", sensitive: false, category: "policy-set" },
      id: (state) => `${String(state["policySetId"])}/${String(state["parameterId"])}`,
      record: path,
      remove: async (state) => void (await raw.call(`DELETE ${path(state)}`)),
      async edit(state) {
        const attributes = { value: "by hand" };
        await raw.call(`PATCH ${path(state)}`, { data: { type: "vars", attributes } });
        return { value: "by hand" };
      },
    };
  },
  fields: {
    policySetId: replaced({ policySetId: otherSet }, { without: "required" }),
    key: changed((world) => ({ key: world.fresh("key") }), { without: "required", local: true }),
    value: changed({ value: "eu-central-1" }),
    sensitive: changed({ sensitive: true }),
    category: { means: "nothing", reason: "there is only one category" },
  },
  spellings: [
    { title: "an empty and an unset value", one: { value: "" }, other: { value: undefined } },
    { title: "null and an unset value", one: { value: null }, other: { value: undefined } },
    { title: "false and an unset flag", one: { sensitive: false }, other: { sensitive: undefined } },
    // @covers policy: Parameter > category
    { title: "the default and an unset category", one: { category: "policy-set" }, other: { category: undefined } },
  ],
  own: ["key"],
  volatile: ["id", "key"],
  skips: [
    {
      case: "a failed read-back is a partial failure",
      reason: "the answer to a write is the stored record",
      fails: /resolved .* instead of rejecting/s,
    },
  ],
  requests: {
    create: ["GET policy-sets/{policySetId}/parameters", "POST policy-sets/{policySetId}/parameters"],
    update: ["GET policy-sets/{policySetId}/parameters", "PATCH policy-sets/{policySetId}/parameters/{parameterId}"],
    read: ["GET policy-sets/{policySetId}/parameters"],
    delete: [
      "GET policy-sets/{policySetId}/parameters",
      "DELETE policy-sets/{policySetId}/parameters/{parameterId}",
      "GET policy-sets/{policySetId}/parameters",
    ],
  },
});
