import { randomBytes } from "node:crypto";
import type { Values } from "../../../provider/core/definition.ts";
import { changed, defineCase, replaced } from "../../support/contract-case.ts";
import { listSpared, setFields, setSpellings, storedAt } from "./sets.ts";

export const policyParameterSetCase = defineCase("policyParameterSet", {
  async prepare(world) {
    const policySetId = world.servers.freshPolicySet();
    const raw = world.raw("policy");
    const apiToken = { value: randomBytes(12).toString("base64url"), sensitive: true };
    const path = (state: Values, key: string) =>
      `policy-sets/${String(state["policySetId"])}/parameters/${String(Object(state["parameterIds"])[key])}`;
    return {
      minimal: { policySetId, parallel: 1, parameters: { apiToken, region: { value: "eu-west-1" } } },
      full: {
        policySetId,
        parallel: 1,
        defaults: { value: "none", category: "policy-set" },
        parameters: { apiToken, region: {} },
        exclusive: false,
        ignore: ["team-*"],
        maxDeletes: 5,
      },
      id: `policy-sets/${policySetId}/parameters`,
      record: storedAt("parameters", (key, state) => ["policy", path(state, key)]),
      async remove(state) {
        for (const key of Object.keys(Object(state["parameterIds"]))) await raw.call(`DELETE ${path(state, key)}`);
      },
      async edit(state) {
        const attributes = { value: "by hand" };
        await raw.call(`PATCH ${path(state, "region")}`, { data: { type: "vars", attributes } });
        const parameters = Object(state["parameters"]);
        return { parameters: { ...parameters, region: { ...parameters.region, value: "by hand" } } };
      },
    };
  },
  fields: {
    policySetId: replaced((world) => ({ policySetId: world.servers.freshPolicySet() }), { without: "required" }),
    parameters: changed(
      (_, { full }) => ({
        parameters: { ...Object(full["parameters"]), region: { value: "eu-central-1" } },
      }),
      { without: "required" },
    ),
    // Of a removal it is read back whether it is done, which `parameters` must not do: see the exception below.
    defaults: changed({ defaults: { value: "all" }, parameters: { region: {} } }),
    ...setFields,
  },
  spellings: [
    ...setSpellings,
    {
      title: "an empty and an unset value",
      one: { parameters: { region: { value: "" } }, defaults: undefined },
      other: { parameters: { region: {} }, defaults: {} },
    },
    {
      title: "a setting and the same default",
      one: { parameters: { region: { value: "none", sensitive: false } } },
      other: { parameters: { region: {} } },
    },
  ],
  volatile: ["id"],
  // The value of a sensitive parameter is not shown.
  unseen: ["parameters", "defaults", "ignore", "maxDeletes", "parallel"],
  skips: [
    {
      case: "a failed read-back is a partial failure",
      reason: "the answer to a write is the stored record",
      fails: /resolved .* instead of rejecting/s,
    },
  ],
  spared: listSpared,
  requests: {
    create: [
      "GET policy-sets/{policySetId}/parameters",
      "POST policy-sets/{policySetId}/parameters",
      "POST policy-sets/{policySetId}/parameters",
    ],
    update: [
      "GET policy-sets/{policySetId}/parameters",
      "PATCH policy-sets/{policySetId}/parameters/{parameterIds.region}",
    ],
    read: ["GET policy-sets/{policySetId}/parameters"],
    delete: [
      "DELETE policy-sets/{policySetId}/parameters/{parameterIds.apiToken}",
      "DELETE policy-sets/{policySetId}/parameters/{parameterIds.region}",
      "GET policy-sets/{policySetId}/parameters",
    ],
  },
});
