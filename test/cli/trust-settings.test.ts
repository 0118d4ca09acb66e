import { describe, expect, it } from "vitest";
import type { TrustChange } from "../../cli/facts/trust/report.ts";
import { trustChanges } from "../../cli/facts/trust/trust-changes.ts";
import type { TrustRecord } from "../../cli/facts/trust/trust-record.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";

const role: Values = {
  mount: "jobs",
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["vault"],
  tokenPolicies: ["deploy"],
};
const record = (definition: Definition, values: Values): TrustRecord => ({
  definition,
  values,
  urn: `urn:${definition.token} ${String(values["name"])}`,
});

function changesOf(
  was: Values,
  is: Values,
  definition: Definition = definitions.jwtRole,
  beside: readonly Values[] = [],
) {
  return trustChanges({
    before: [record(definition, was)],
    after: [record(definition, is)],
    beside: beside.map((values) => record(definitions.sysPolicy, values)),
  });
}

const BY = ["role `deploy` of `auth/jobs`"];
const said = (effect: TrustChange["effect"], sentence: string) => ({ effect, sentence, by: BY });

describe("a change of a role's settings", () => {
  it.each<readonly [string, Values, Values, readonly TrustChange[]]>([
    [
      "another claim names the user",
      {},
      { userClaim: "email" },
      [
        said(
          "gains",
          "Who somebody is, with the groups of that person, is now decided by the claim `email`; before, by the claim `sub`.",
        ),
      ],
    ],
    [
      "the claim of the user is now a pointer",
      { userClaim: "/a" },
      { userClaim: "/a", userClaimJsonPointer: true },
      [
        said(
          "gains",
          "Who somebody is, with the groups of that person, is now decided by what is at `/a`; before, by the claim `/a`.",
        ),
      ],
    ],
    [
      "a browser is sent elsewhere",
      { roleType: "oidc", allowedRedirectUris: ["https://a", "https://b"] },
      { roleType: "oidc", allowedRedirectUris: ["https://b", "https://evil"] },
      [
        said("gains", "Logins through a browser may now lead to `https://evil`."),
        said("loses", "Logins through a browser may no longer lead to `https://a`."),
      ],
    ],
    [
      "a leeway grows",
      {},
      { clockSkewLeeway: "1h" },
      [said("gains", "Where clocks differ, tokens now count longer than they say by 1h; before, 1m.")],
    ],
    [
      "a leeway is switched off",
      { expirationLeeway: "10m" },
      { expirationLeeway: -1 },
      [said("loses", "Tokens without `exp` now count for no time; before, 10m.")],
    ],
    ["a leeway is the usual one, written down", {}, { notBeforeLeeway: 150 }, []],
    ["a leeway has another spelling", { clockSkewLeeway: "1h" }, { clockSkewLeeway: 3600 }, []],
    ["uris change their order", { allowedRedirectUris: ["a", "b"] }, { allowedRedirectUris: ["b", "a"] }, []],
    [
      "a setting is not known",
      {},
      { userClaim: UNKNOWN },
      [
        said(
          "unclear",
          "It cannot be told which claim says who somebody is: a setting of the role is secret, or not known yet.",
        ),
      ],
    ],
  ])("is said where %s", (_, was, is, expected) => {
    expect(changesOf({ ...role, ...was }, { ...role, ...is })).toEqual(expected);
  });
});

describe("a policy that denies", () => {
  const denies = { name: "Fence", policy: 'path "secret/x" { capabilities = ["deny"] }' };
  const sentence =
    "Whoever loses the policy `fence` is no longer denied `secret/x`: what other policies allow there counts now.";

  it("gives something to the role that loses it", () => {
    const changes = changesOf({ ...role, tokenPolicies: ["deploy", "fence"] }, role, definitions.jwtRole, [denies]);
    expect(changes[0]).toEqual(said("gains", sentence));
    expect(changes[1]?.sentence).toContain("no longer gets the policy `fence`");
  });

  it("gives nothing where another policy still denies the same", () => {
    const beside = [denies, { ...denies, name: "wall" }];
    const was = { ...role, tokenPolicies: ["fence", "wall"] };
    const changes = changesOf(was, { ...role, tokenPolicies: ["wall"] }, definitions.jwtRole, beside);
    expect(changes.map(({ effect }) => effect)).toEqual(["loses"]);
  });

  it("gives something to the group that loses it", () => {
    const group = { name: "people", type: "internal", policies: ["a", "fence"] };
    const [first] = changesOf(group, { ...group, policies: ["a"] }, definitions.identityGroup, [denies]);
    expect(first).toEqual({ effect: "gains", sentence, by: ["group `people`"] });
  });
});
