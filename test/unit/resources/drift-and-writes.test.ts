import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import type { Definition } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { bodyOf, stateOf } from "../../../provider/core/record";
import { definitions } from "../../../provider/resources";
import { validInputs } from "../../support/valid-inputs";
import { differenceAfterRead } from "./difference-after-read";

describe("drift behind our back", () => {
  it.each([
    ["jwtRole", 0, { bound_claims_type: "glob" }, "boundClaimsType"],
    ["jwtRole", 0, { role_type: "oidc" }, "roleType"],
    ["jwtRole", 0, { bound_claims: { a: "x" } }, "boundClaims"],
    ["jwtRole", 0, { token_policies: ["root"] }, "tokenPolicies"],
    ["jwtRole", 0, { verbose_oidc_logging: true }, "verboseOidcLogging"],
    ["jwtConfig", 1, { bound_issuer: "x" }, "boundIssuer"],
    ["jwtConfig", 1, { namespace_in_state: false }, "namespaceInState"],
    ["cloudRootConfig", 1, { access_key: "AKIAOTHER" }, "accessKey"],
    ["cloudRootConfig", 1, { access_key: "" }, "accessKey"],
    ["cloudRole", 1, { user_path: "/" }, "userPath"],
    ["cloudRole", 0, { max_sts_ttl: 60 }, "maxStsTtl"],
    ["policyParameter", 0, { value: "x" }, "value"],
    ["clusterPeering", 0, { Meta: { a: "b" } }, "meta"],
    ["sysSecretsMount", 0, { default_lease_ttl: 60 }, "defaultLeaseTtl"],
  ] as const)("of %s (%d), %j, is a difference at %s", (resource, way, record, property) => {
    const definition: Definition = definitions[resource];
    const { inputs } = check(definition, validInputs[resource][way] ?? {});
    expect(differenceAfterRead(definition, inputs, record).changed).toEqual([property]);
  });
});

// @covers cloud: Role > invalid_data
it("what an earlier release stored and today's refuses is shown, and is no difference by itself", () => {
  const { inputs } = check(definitions.cloudRole, validInputs.cloudRole[0] ?? {});
  const record = { ...bodyOf(definitions.cloudRole, inputs), invalid_data: '{"Version":' };
  const state = stateOf(definitions.cloudRole, record, inputs);
  expect(state).toMatchObject({ invalidData: '{"Version":' });
  expect(diff(definitions.cloudRole, state, inputs).changed).toEqual([]);
});

describe("what a full write always carries", () => {
  it.each([
    [
      "7 both kinds of a role, which an update without them resets",
      "jwtRole",
      0,
      { role_type: "jwt", bound_claims_type: "string" },
    ],
    [
      "8 the whole configuration, secrets included",
      "jwtConfig",
      0,
      { oidc_client_id: "id", oidc_client_secret: expect.stringMatching(/./), bound_issuer: "" },
    ],
    [
      "9 the secret key",
      "cloudRootConfig",
      1,
      { access_key: "AKIAEXAMPLE", secret_key: expect.stringMatching(/./), region: "" },
    ],
    ["26 maps as maps of strings", "cloudRole", 0, { iam_tags: {} }],
    ["30 what sticks when it is omitted", "jwtConfig", 1, { namespace_in_state: true }],
    [
      "32 the emptied fields of another type",
      "cloudRole",
      3,
      { role_arns: [], policy_arns: [], policy_document: "", user_path: "", default_sts_ttl: 0 },
    ],
    ["42 zero, as null would be ignored", "jwtRole", 0, { token_ttl: 0, max_age: 0 }],
    ["43 real booleans", "jwtRole", 0, { verbose_oidc_logging: false }],
    ["48 the default itself, as null would read as 0", "cloudRootConfig", 0, { max_retries: -1 }],
  ] as const)("%s (%s, %d)", (_, resource, way, members) => {
    const definition: Definition = definitions[resource];
    const { inputs } = check(definition, validInputs[resource][way] ?? {});
    expect(bodyOf(definition, inputs)).toMatchObject(members);
  });

  it("22 and never the deprecated twins", () => {
    const members = Object.keys(bodyOf(definitions.jwtRole, { name: "a" }));
    expect(
      members.filter((member) => ["policies", "bound_cidrs", "num_uses", "ttl", "max_ttl", "period"].includes(member)),
    ).toEqual([]);
  });
});
