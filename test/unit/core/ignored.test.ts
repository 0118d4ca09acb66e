import { describe, expect, it } from "vitest";
import type { Members } from "../../../provider/core/definition.ts";
import { ignoredIn, withIgnored } from "../../../provider/core/ignored.ts";
import { stepsOf } from "../../../provider/core/property-path.ts";
import { definitions } from "../../../provider/resources/index.ts";

const { jwtRole, jwtRoleSet } = definitions;

describe("what the program leaves to others", () => {
  const ours = { tokenPolicies: ["a"], boundClaims: { team: "a", ref: "x" }, tokenTtl: "1h", server: "s" };
  const live = { tokenPolicies: ["b"], boundClaims: { team: "b", more: "m" }, userClaim: "u", accessor: "z" };

  it.each([
    ["a property", "tokenPolicies", { ...ours, tokenPolicies: ["b"] }],
    ["a member", "boundClaims.team", { ...ours, boundClaims: { team: "b", ref: "x" } }],
    [
      "a member that only the server has",
      'boundClaims["more"]',
      { ...ours, boundClaims: { ...ours.boundClaims, more: "m" } },
    ],
    ["a member that the server has not", "boundClaims.ref", { ...ours, boundClaims: { team: "a" } }],
    ["all members", "boundClaims.*", { ...ours, boundClaims: live.boundClaims }],
    ["all items", "tokenPolicies[*]", { ...ours, tokenPolicies: ["b"] }],
    ["a property that the server has not", "tokenTtl", { ...ours, tokenTtl: undefined }],
    ["all properties, and nothing beside them", "*", { ...live, server: "s", accessor: undefined }],
    ["an item by its number, which may be another one there", "tokenPolicies[0]", ours],
    ["no property of the table", "accessor", ours],
  ])("is as the server has it: %s", (_, path, expected) => {
    expect(withIgnored(jwtRole, ours, live, [stepsOf(path)])).toEqual(expected);
  });

  it("holds for the record of a set that the path names", () => {
    const paths = [
      "roles.ci.tokenTtl",
      "roles.*.tokenPolicies",
      "roles.other.userClaim",
      "roles.ci",
      "defaults.tokenTtl",
    ];
    expect(ignoredIn(jwtRoleSet.members as Members, "ci", paths.map(stepsOf))).toEqual([
      ["tokenTtl"],
      ["tokenPolicies"],
    ]);
  });
});
