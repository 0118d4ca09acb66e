import type { Values } from "../../../provider/core/definition";
import type { ExampleRecord } from "./rule";

/** What the examples of rules have in common. */
export const DEPLOY: Values = {
  mount: "jobs",
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["vault"],
  tokenPolicies: ["deploy"],
  tokenTtl: "15m",
};

export const PEOPLE: Values = {
  mount: "people",
  name: "people",
  userClaim: "sub",
  boundClaims: { groups: ["platform"] },
  tokenPolicies: ["deploy"],
  tokenTtl: "8h",
};

const ACTIONS = "https://token.actions.githubusercontent.com";
export const GITHUB: ExampleRecord = ["jwt:Config", { mount: "jobs", oidcDiscoveryUrl: ACTIONS, boundIssuer: ACTIONS }];

const TENANT = "https://login.microsoftonline.com/9f0e0e1a-0000-4000-8000-000000000000/v2.0";
export const ENTRA_CONFIG: ExampleRecord = ["jwt:Config", { mount: "people", oidcDiscoveryUrl: TENANT }];
