import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import type { Definition, Values } from "../../../provider/core/definition";
import { definitions } from "../../../provider/resources";
import { type DefinitionName, publicKeyPem, validInputs } from "../../support/valid-inputs";
import { differenceAfterRead } from "./difference-after-read";

/** A trap of the reference: what a program writes, and what the server then reads, which is no difference. */
type Trap = readonly [trap: string, resource: DefinitionName, way: number, program: Values, record: Values];

const key = publicKeyPem();

/** Reference secrets-server §6. */
const SECRETS: readonly Trap[] = [
  [
    "1 durations read as seconds",
    "jwtRole",
    0,
    { tokenTtl: "1h", tokenMaxTtl: "1d", maxAge: "90m" },
    { token_ttl: 3600, token_max_ttl: 86_400, max_age: 5400 },
  ],
  [
    "2 leases read as Go durations",
    "cloudLeaseConfig",
    0,
    { lease: 3600, leaseMax: "1d" },
    { lease: "1h0m0s", lease_max: "24h0m0s" },
  ],
  [
    "2 leases read as Go durations",
    "cloudLeaseConfig",
    0,
    { lease: "90s", leaseMax: "24h" },
    { lease: "1m30s", lease_max: "24h0m0s" },
  ],
  ["3 an unset token type reads as default", "jwtRole", 0, {}, { token_type: "default" }],
  [
    "4 leeways of 0 stay 0",
    "jwtRole",
    0,
    { clockSkewLeeway: 0 },
    { clock_skew_leeway: 0, expiration_leeway: 0, not_before_leeway: 0 },
  ],
  [
    "5 what was never sent reads as null",
    "jwtRole",
    0,
    {},
    { oidc_scopes: null, claim_mappings: null, bound_claims: null },
  ],
  ["5 what was sent empty reads as empty", "jwtRole", 0, {}, { oidc_scopes: [], claim_mappings: {}, bound_claims: {} }],
  [
    "6 so do lists and maps of the cloud engine",
    "cloudRole",
    0,
    {},
    { policy_arns: null, iam_groups: [], iam_tags: null, session_tags: {} },
  ],
  [
    "10 an unset user name template reads as the default text",
    "cloudRootConfig",
    0,
    {},
    {
      username_template:
        '{{ if (eq .Type "STS") }}{{ printf "vault-%s-%s"  (unix_time) (random 20) | truncate 32 }}{{ else }}{{ printf "vault-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 42) (unix_time) (random 20) | truncate 64 }}{{ end }}',
    },
  ],
  ["11 unset retries read as -1", "cloudRootConfig", 0, {}, { max_retries: -1 }],
  ["12 an unset identity token lifetime reads as 0", "cloudRootConfig", 0, {}, { identity_token_ttl: 0 }],
  ["13 an unset region reads as nothing", "cloudRootConfig", 0, {}, { region: "" }],
  ["14 secrets are never answered", "cloudRootConfig", 1, {}, { access_key: "AKIAEXAMPLE" }],
  [
    "14 sensitive options are left out",
    "jwtConfig",
    6,
    {},
    { provider_config: { provider: "gsuite", fetch_groups: true, max: 5 } },
  ],
  ["15 names are kept in lower case", "jwtConfig", 2, { defaultRole: "CI" }, { default_role: "ci" }],
  [
    "16 policy documents lose their blanks",
    "cloudRole",
    2,
    { policyDocument: '{ "a": [1,  2], "b": "x" }' },
    { policy_document: '{"a":[1,2],"b":"x"}' },
  ],
  [
    "16 the order of members does not count",
    "cloudRole",
    2,
    { policyDocument: '{"b":1,"a":2}' },
    { policy_document: '{"a":2,"b":1}' },
  ],
  [
    "17 a policy document may be an object",
    "cloudRole",
    2,
    { policyDocument: { b: 1, a: { d: 1, c: 2 } } },
    { policy_document: '{"a":{"c":2,"d":1},"b":1}' },
  ],
  [
    "18 keys lose their last line break",
    "jwtConfig",
    4,
    { jwtValidationPubkeys: [`${key}\n`] },
    { jwt_validation_pubkeys: [key.trim()] },
  ],
  ["20 elements are trimmed", "jwtRole", 0, { tokenPolicies: [" a", "b "] }, { token_policies: ["a", "b"] }],
  [
    "21 sets have no order",
    "jwtRole",
    0,
    { tokenPolicies: ["b", "a"], boundAudiences: ["y", "x"] },
    { token_policies: ["a", "b"], bound_audiences: ["x", "y"] },
  ],
  [
    "22 the deprecated twins are not ours",
    "jwtRole",
    0,
    { tokenPolicies: ["A"] },
    { token_policies: ["A"], policies: ["a"], ttl: 5 },
  ],
  [
    "23 blocks are printed in another form",
    "jwtRole",
    0,
    { tokenBoundCidrs: ["10.0.0.1/32", "2001:DB8::1/128"] },
    { token_bound_cidrs: ["10.0.0.1", "2001:db8::1"] },
  ],
  [
    "25 one bound value is a list of one",
    "jwtRole",
    0,
    { boundClaims: { a: ["x"], b: 10, c: true } },
    { bound_claims: { a: "x", b: [10], c: [true] } },
  ],
  [
    "27 options are echoed with their types",
    "jwtConfig",
    2,
    { providerConfig: { provider: "azure", max: "5" } },
    { provider_config: { provider: "azure", max: 5 } },
  ],
  ["28 the scope openid is not shown", "jwtRole", 1, { oidcScopes: ["email"] }, { oidc_scopes: ["email"] }],
  [
    "29 defaults of lists are not shown",
    "jwtConfig",
    1,
    {},
    { oidc_response_mode: "", oidc_response_types: [], jwt_supported_algs: [] },
  ],
  ["31 an unset user path reads as nothing", "cloudRole", 1, {}, { user_path: "" }],
  [
    "35 static roles have further members",
    "cloudStaticRole",
    0,
    {},
    { id: "AIDA", rotation_period: 86_400, assume_role_arn: "", external_id: "", name: "app" },
  ],
  [
    "38 lifetimes of a mount read as 0 where inherited",
    "sysAuthMount",
    0,
    {},
    { default_lease_ttl: 0, max_lease_ttl: 0 },
  ],
  ["41 further members are ignored", "jwtRole", 0, {}, { alias_metadata: {}, invented: [1] }],
];

/** Reference cluster-and-policy A.9 and B.12. */
const OTHERS: readonly Trap[] = [
  ["A.9.1 a sensitive value reads as null", "policyParameter", 1, {}, { value: null, id: "var-1" }],
  ["A.9.3 no value is the empty value", "policyParameter", 0, {}, { value: "", id: "var-1" }],
  ["A.9.3 null is the empty value", "policyParameter", 0, { value: "" }, { value: null, id: "var-1" }],
  [
    "A.9.12 further attributes are ignored",
    "policyParameter",
    0,
    {},
    { hcl: false, "created-at": "x", description: null, "version-id": "y", id: "var-1" },
  ],
  [
    "B.12.1 a token is never read again",
    "clusterPeeringToken",
    0,
    { serverExternalAddresses: ["a:1"] },
    { ID: "1", State: "PENDING" },
  ],
  [
    "B.12.7 what moves by itself is no input",
    "clusterPeering",
    0,
    {},
    { ID: "1", State: "FAILING", ModifyIndex: 7, Remote: {}, StreamStatus: {}, PeerServerAddresses: ["x:1"] },
  ],
  ["B.12.10 no metadata is read as nothing", "clusterPeering", 0, { meta: {} }, { ID: "1" }],
  ["B.12.10 the default partition is read as nothing", "clusterPeering", 0, { partition: "default" }, { ID: "1" }],
];

describe.each([
  ["the secrets server", SECRETS],
  ["the other servers", OTHERS],
])("the traps of %s", (_, traps) => {
  it.each(traps)("%s (%s, %d): no difference", (_, resource, way, program, record) => {
    const definition: Definition = definitions[resource];
    const { inputs, failures } = check(definition, { ...validInputs[resource][way], ...program });
    expect(failures).toEqual([]);
    expect(differenceAfterRead(definition, inputs, record)).toEqual({ changed: [], replaces: [] });
  });
});
