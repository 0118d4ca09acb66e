import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { ISSUER, mapOf } from "./map-harness.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const HIDDEN = "(secret, or not known yet)";
const config = { mount: "jobs", boundIssuer: ISSUER, jwtValidationPubkeys: ["key"] };
const role = {
  mount: "jobs",
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["vault"],
  boundSubject: "ci",
  boundClaims: { ref: "main" },
  boundClaimsType: "string",
  tokenBoundCidrs: ["10.0.0.0/8"],
  tokenPolicies: ["deploy"],
  groupsClaim: "groups",
};
const group = {
  name: "team",
  type: "external",
  policies: ["deploy"],
  alias: { mount: "jobs", name: "team" },
  memberEntityIds: [],
  memberGroupIds: [],
};
const policy = { name: "deploy", policy: 'path "secret/*" { capabilities = ["read"] }' };
const records = { "jwt:Config": config, "jwt:Role": role, "identity:Group": group, "sys:Policy": policy };

/** A stack where these properties of one record are others. */
const stack = (token: string, changed: Values): readonly WantedStep[] =>
  Object.entries(records).map(([each, values]) => {
    const after = each === token ? { ...values, ...changed } : values;
    return { op: "same", token: each, name: "x", before: after, after };
  });

async function explained(words: readonly string[], steps: readonly WantedStep[]): Promise<string> {
  const { code, out, err } = await runCli(["explain", ...words, "--state", "-"], previewJson({ steps }));
  expect([code, err]).toEqual([0, ""]);
  return out;
}
const who = ["who", "--policy", "deploy"];

describe("explain says what it does not know of", () => {
  const all = 'of https://git.example.com from "10.0.0.0/8" whose aud is "vault", and whose sub is "ci", and whose';
  it.each<[string, Values, string]>([
    ["all claims", { boundClaims: UNKNOWN }, `Every token ${all} claims are ${HIDDEN}.`],
    ["secret claims", { boundClaims: "[secret]" }, `Every token ${all} claims are ${HIDDEN}.`],
    ["a claim", { boundClaims: { ref: UNKNOWN } }, `Every token ${all} ref is ${HIDDEN}.`],
    [
      "a value of a claim",
      { boundClaims: { ref: ["main", UNKNOWN] } },
      `Every token ${all} ref is "main" or ${HIDDEN}.`,
    ],
    [
      "how claims are compared",
      { boundClaimsType: UNKNOWN },
      `Every token ${all} ref is "main". This may not be exact: boundClaimsType is secret, or not known yet.`,
    ],
    [
      "two properties",
      { roleType: UNKNOWN, boundClaimsType: UNKNOWN },
      `Whoever logs in ${all} ref is "main". This may not be exact: roleType and boundClaimsType are secret, or not known yet.`,
    ],
    [
      "the policies",
      { tokenPolicies: UNKNOWN },
      `Every token ${all} ref is "main". Whether it gives deploy cannot be told: tokenPolicies is secret, or not known yet.`,
    ],
  ])("a role: %s", async (_what, changed, sentence) => {
    const out = await explained(who, stack("jwt:Role", changed));
    expect(out.split("\n")[0]).toBe(`Role deploy of auth/jobs: ${sentence}`);
  });

  it.each<[string, Values, string]>([
    ["its alias", { alias: UNKNOWN }, "Its members, who are secret, or not known yet."],
    [
      "the name in its alias",
      { alias: { mount: "jobs", name: UNKNOWN } },
      `Everybody whose login at auth/jobs carries the group ${HIDDEN}.`,
    ],
  ])("a group: %s", async (_what, changed, sentence) => {
    const out = await explained(who, stack("identity:Group", changed));
    expect(out.split("\n")[1]).toBe(`Group team: ${sentence}`);
  });

  it("a policy that a role gives", async () => {
    const text = (changed: Values, token: string) => explained(["role", "deploy"], stack(token, changed));
    expect(await text({ policy: UNKNOWN }, "sys:Policy")).toContain(`  policy deploy\n    ${HIDDEN}\n`);
    expect(await text({ tokenPolicies: ["deploy", UNKNOWN] }, "jwt:Role")).toMatch(
      /: read\n {2}policy \(secret, or not known yet\)\n {2}Whose claim groups has team,/,
    );
  });

  it("the issuer", async () => {
    const out = await explained(who, stack("jwt:Config", { boundIssuer: UNKNOWN }));
    expect(out).toContain(`Every token of an issuer ${HIDDEN} from`);
  });
});

describe("whatever is hidden", () => {
  const properties = Object.entries(records).flatMap(([token, values]) =>
    Object.keys(values).map((property) => [token, property] as const),
  );

  it.each(properties)("of %s: %s, no sentence and no map has what stands for it", async (token, property) => {
    const steps = stack(token, { [property]: UNKNOWN });
    const gained = steps.map((each): WantedStep => {
      if (each.token !== "jwt:Role") return each;
      const now = { ...each.after, tokenPolicies: property === "tokenPolicies" ? UNKNOWN : ["admin", "deploy"] };
      return { ...each, op: "update", after: { ...now, boundSubject: property === "boundSubject" ? UNKNOWN : "cd" } };
    });
    for (const words of [who, ["role", property === "name" ? UNKNOWN : "deploy"]]) {
      const { out } = await runCli(["explain", ...words, "--state", "-"], previewJson({ steps }));
      expect(out).not.toContain(UNKNOWN);
    }
    const { out: comment } = await runCli(["comment", "--dry-run"], previewJson({ steps: gained }));
    expect(comment).toContain("**Who can become what**");
    expect(comment).not.toContain(UNKNOWN);
    const { nodes, edges } = await mapOf(steps);
    const texts = [...nodes.map(({ name, facts }) => [name, facts]), ...edges.map(({ bounds }) => bounds)];
    expect(JSON.stringify(texts)).not.toContain(UNKNOWN);
    expect((await runCli(["map", "--mermaid"], previewJson({ steps }))).out).not.toContain(UNKNOWN);
  });

  it("a role with hidden claims is not called open to all when it gives more", async () => {
    const before = { ...role, boundSubject: "", boundClaims: UNKNOWN };
    const after = { ...before, tokenPolicies: ["admin", "deploy"] };
    const steps: readonly WantedStep[] = [{ op: "update", token: "jwt:Role", name: "x", before, after }];
    const { out } = await runCli(["comment", "--dry-run"], previewJson({ steps }));
    expect(out).toContain(
      `Tokens that \`auth/jobs\` takes with claims ${HIDDEN} from \`10.0.0.0/8\` now also get the policy \`admin\`; before, only \`deploy\`.`,
    );
  });

  it("of several hidden demands each is named", async () => {
    const after = { ...role, boundClaims: { ref: UNKNOWN }, boundSubject: UNKNOWN };
    const steps: readonly WantedStep[] = [{ op: "update", token: "jwt:Role", name: "x", before: role, after }];
    const { out } = await runCli(["comment", "--dry-run"], previewJson({ steps }));
    expect(out).toContain("cannot be told: what the role demands of `sub` and `ref` is secret, or not known yet.");
  });
});
