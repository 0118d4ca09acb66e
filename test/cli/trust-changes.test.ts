import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { fc } from "../support/fast-check.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const ISSUER = "https://git.example.com";
const role: Values = {
  mount: "jobs",
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["vault"],
  boundClaims: { project_path: "acme/platform", ref: "main" },
  tokenPolicies: ["deploy"],
  tokenTtl: "15m",
};
const group: Values = {
  name: "admins",
  type: "external",
  policies: ["admin"],
  alias: { mount: "people", name: "platform" },
};
const policy = (text: string): Values => ({ name: "deploy", policy: text });
const config: Values = { mount: "jobs", oidcDiscoveryUrl: ISSUER };
const read = 'path "secret/*" { capabilities = ["read"] }';

const step = (op: string, token: string, before?: Values, after?: Values): WantedStep => ({
  op,
  token,
  name: String((after ?? before)?.["name"] ?? "jobs"),
  ...(before ? { before } : {}),
  ...(after ? { after } : {}),
});
const update = (token: string, before: Values, changed: Values) =>
  step("update", token, before, { ...before, ...changed });

async function commentOf(steps: readonly WantedStep[]): Promise<string> {
  const { code, out, err } = await runCli(["comment", "--dry-run"], previewJson({ steps }));
  expect([code, err]).toEqual([0, ""]);
  return out;
}

/** The sentences of the comment. */
async function sentences(...steps: readonly WantedStep[]): Promise<readonly string[]> {
  const [, list = ""] = /\*\*Who can become what\*\*\n\n(.*?)\n\n/s.exec(await commentOf(steps)) ?? [];
  return list === "" ? [] : list.split("\n");
}

const BY = " By role `deploy` of `auth/jobs`.";
const claims = (boundClaims: Values, more: Values = {}) => update("jwt:Role", role, { boundClaims, ...more });
const beside = [step("same", "jwt:Config", config, config)];

describe("the comment says of a role", () => {
  it.each([
    [
      "that lets any branch in",
      claims({ project_path: "acme/platform" }),
      "* Tokens with any `ref` (and still `aud` `vault` and `project_path` `acme/platform`) may now become `deploy`; before only with `ref` `main`.",
    ],
    [
      "that lets more branches in",
      claims({ project_path: "acme/platform", ref: ["main", "release/*"] }, { boundClaimsType: "glob" }),
      "* Tokens with `ref` like `main` or `release/*` (and still `aud` `vault` and `project_path` `acme/platform`) may now become `deploy`; before only with `ref` `main`.",
    ],
    [
      "that lets another branch in",
      claims({ project_path: "acme/platform", ref: "dev" }),
      "* Tokens with `ref` `dev` (and still `aud` `vault` and `project_path` `acme/platform`) may now become `deploy`; before with `ref` `main`.",
    ],
    [
      "that no longer demands that a claim is there",
      update("jwt:Role", { ...role, boundClaims: { ref: "*" }, boundClaimsType: "glob" }, { boundClaims: {} }),
      "* Tokens with any `ref` (and still `aud` `vault`) may now become `deploy`; before only with `ref` like `*`.",
    ],
    [
      "that lets fewer in",
      claims({ project_path: "acme/platform", ref: "main", environment: "production" }),
      "* Only tokens with `environment` `production` (and still `aud` `vault`, `project_path` `acme/platform` and `ref` `main`) may still become `deploy`; before with any `environment`.",
    ],
    [
      "that gives one policy more",
      update("jwt:Role", role, { tokenPolicies: ["admin", "deploy"] }),
      "* Tokens with `aud` `vault`, `project_path` `acme/platform` and `ref` `main` may now become `admin`.",
    ],
    [
      "that gives one policy less",
      update("jwt:Role", role, { tokenPolicies: [] }),
      "* Tokens with `aud` `vault`, `project_path` `acme/platform` and `ref` `main` may no longer become `deploy`.",
    ],
    [
      "for another network",
      update("jwt:Role", { ...role, tokenBoundCidrs: ["10.0.0.0/8"] }, { tokenBoundCidrs: [] }),
      "* Tokens with any `address` (and still `aud` `vault`, `project_path` `acme/platform` and `ref` `main`) may now become `deploy`; before only with `address` `10.0.0.0/8`.",
    ],
    [
      "that is new, and demands nothing",
      step("create", "jwt:Role", undefined, { ...role, boundAudiences: [], boundClaims: {} }),
      "* All tokens may now become `deploy`: the role is new.",
    ],
    [
      "that is gone",
      step("delete", "jwt:Role", role),
      "* Tokens with `aud` `vault`, `project_path` `acme/platform` and `ref` `main` may no longer become `deploy`: the role is gone.",
    ],
    [
      "for people instead of jobs",
      update("jwt:Role", role, { roleType: "oidc" }),
      "* Logins through a browser (and still `aud` `vault`, `project_path` `acme/platform` and `ref` `main`) may now become `deploy`; before tokens.",
    ],
    [
      "with another claim for groups",
      update("jwt:Role", role, { groupsClaim: "roles" }),
      "* The groups of a login, and the policies of these, now come from the claim `roles`; before from no claim.",
    ],
    [
      "whose claims are not known yet",
      claims({ project_path: UNKNOWN }),
      "* Who may become `deploy` cannot be told: `boundClaims` is secret, or not known yet.",
    ],
  ])("%s", async (_what, change, sentence) => {
    expect(await sentences(change)).toEqual([sentence + BY]);
  });

  it.each([
    ["another lifetime", { tokenTtl: "1h" }],
    ["the same branches in another form", { boundClaims: { ref: ["main"], project_path: ["acme/platform"] } }],
    ["globs without a star", { boundClaimsType: "glob" }],
  ])("nothing for %s", async (_what, changed) => {
    expect(await sentences(update("jwt:Role", role, changed))).toEqual([]);
  });

  it("whose tokens it takes, where the preview has its auth method", async () => {
    expect(await sentences(...beside, step("create", "jwt:Role", undefined, role))).toEqual([
      `* Tokens of \`${ISSUER}\` with \`aud\` \`vault\`, \`project_path\` \`acme/platform\` and \`ref\` \`main\` may now become \`deploy\`: the role is new.${BY}`,
    ]);
  });

  it("once what many roles have in common, the worst first", async () => {
    const many = Array.from({ length: 1000 }, (_, index) => {
      const before = { ...role, name: `role-${String(index).padStart(3, "0")}` };
      return update("jwt:Role", before, { boundClaims: { ref: "main" } });
    });
    const said = await sentences(update("jwt:Role", role, { tokenPolicies: [] }), ...many);
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(
      /^\* Tokens with any `project_path` .* By role `role-000` of `auth\/jobs`, .* and 995 more\.$/,
    );
    expect(said[1]).toContain("may no longer become `deploy`.");
  });

  it("the same of a record of a set", async () => {
    const { mount, name: _, ...settings } = role;
    const set = (changed: Values) => ({ mount, roles: { deploy: { ...settings, ...changed } } });
    const change = { ...step("update", "jwt:RoleSet", set({}), set({ tokenPolicies: ["admin"] })), name: "all" };
    const said = await sentences(change);
    expect(said.map((line) => line.replace(/.*(may.*)/, "$1"))).toEqual([
      `may now become \`admin\`.${BY}`,
      `may no longer become \`deploy\`.${BY}`,
    ]);
  });
});

describe("the comment says of", () => {
  it("a group, whom it gives what", async () => {
    const who = "Everybody whom `auth/people` names in the group `platform`";
    const by = " By group `admins`.";
    expect(await sentences(update("identity:Group", group, { policies: ["root-ca"] }))).toEqual([
      `* ${who} may now become \`root-ca\`.${by}`,
      `* ${who} may no longer become \`admin\`.${by}`,
    ]);
    expect(await sentences(update("identity:Group", group, { alias: { mount: "people", name: "everyone" } }))).toEqual([
      `* Everybody whom \`auth/people\` names in the group \`everyone\` may now become \`admin\`; before everybody whom \`auth/people\` names in the group \`platform\`.${by}`,
    ]);
    const internal = { name: "admins", type: "internal", policies: ["admin"], memberEntityIds: ["id-1", "id-2"] };
    expect(await sentences(update("identity:Group", internal, { memberEntityIds: ["id-2", "id-3"] }))).toEqual([
      `* The members \`id-3\` may now become \`admin\`.${by}`,
      `* The members \`id-1\` may no longer become \`admin\`.${by}`,
    ]);
  });

  it("a policy, what it allows and who has it", async () => {
    const has = [
      step("same", "jwt:Role", role, role),
      step("same", "identity:Group", { ...group, policies: ["Deploy"] }, { ...group, policies: ["Deploy"] }),
    ];
    const by = " By group `admins`, role `deploy` of `auth/jobs`.";
    const more = `${read}\npath "sys/policies/acl/*" { capabilities = ["update"] }`;
    expect(await sentences(...has, update("sys:Policy", policy(read), policy(more)))).toEqual([
      `* \`deploy\` may now write policies by \`sys/policies/acl/*\`: whoever has it can give itself everything.${by}`,
      `* \`deploy\` now also allows \`update\` on \`sys/policies/acl/*\`.${by}`,
    ]);
    expect(await sentences(...has, step("delete", "sys:Policy", policy(read)))).toEqual([
      `* \`deploy\` allows nothing any more: the policy is gone.${by}`,
    ]);
    expect(await sentences(step("create", "sys:Policy", undefined, policy(read)))).toEqual([]);
  });

  it("records of one name on two servers, each by itself", async () => {
    const east = { ...update("jwt:Role", role, { boundClaims: { project_path: "acme/platform" } }), name: "east" };
    const west = { ...update("jwt:Role", role, { tokenPolicies: [] }), name: "west" };
    const said = await sentences(east, west);
    expect(said.map((line) => line.replace(/ \(and.*?\)/, ""))).toEqual([
      `* Tokens with any \`ref\` may now become \`deploy\`; before only with \`ref\` \`main\`.${BY}`,
      expect.stringContaining("may no longer become `deploy`."),
    ]);
  });

  it("the issuer of the auth method of the same connection", async () => {
    const there = { ...config, connection: "west", oidcDiscoveryUrl: "https://other.example" };
    const [line] = await sentences(
      ...beside,
      { ...step("same", "jwt:Config", there, there), name: "west" },
      step("create", "jwt:Role", undefined, role),
    );
    expect(line).toContain(`Tokens of \`${ISSUER}\` with`);
  });

  it("an auth method, whose tokens it takes", async () => {
    const has = step("same", "jwt:Role", role, role);
    expect(await sentences(has, update("jwt:Config", config, { oidcDiscoveryUrl: "https://evil.example" }))).toEqual([
      `* \`auth/jobs\` now takes tokens of \`https://evil.example\`; before of \`${ISSUER}\`. Its roles give \`deploy\`.`,
    ]);
    const keys = { mount: "jobs", boundIssuer: ISSUER, jwtValidationPubkeys: ["a"] };
    expect(await sentences(has, update("jwt:Config", keys, { jwtValidationPubkeys: ["b"] }))).toEqual([
      "* `auth/jobs` now believes other keys: `jwtValidationPubkeys` changes. Its roles give `deploy`.",
    ]);
  });

  it("a secret that changes, that nobody can tell", async () => {
    const secret = { ...role, boundClaims: "[secret]" };
    const change = { ...step("update", "jwt:Role", secret, secret), differing: ["boundClaims"] };
    expect(await sentences(change)).toEqual([
      `* Who may become \`deploy\` cannot be told: \`boundClaims\` is secret, or not known yet.${BY}`,
    ]);
    expect(await sentences(update("jwt:Role", secret, { tokenTtl: "1h" }))).toEqual([]);
  });
});

describe("whatever the names are", () => {
  it("the sentences are lines of their own, their names code, and the same for the same preview", async () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("`", "``a` @team", "\n# x", "<b>", "*", "\u202e"),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, async (claim, value, name) => {
        const before = { ...role, name, boundClaims: { [claim]: value }, tokenPolicies: [value] };
        const steps = [
          update("jwt:Role", before, { boundClaims: { [claim]: `${value}x` }, tokenPolicies: [value, "b"] }),
        ];
        const out = await commentOf(steps);
        expect(await commentOf(steps)).toBe(out);
        const said = await sentences(...steps);
        expect(said.length).toBeGreaterThan(0);
        for (const line of said) {
          expect(line).toMatch(/^\* .*\.$/u);
          // Without its spans of code, a line has words of this program only.
          expect(line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/gu, "")).toMatch(/^[\w *(),;:./]*$/);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("a pattern made to take long takes no longer than it is", async () => {
    const evil = { [`${"a".repeat(3)}`]: `${"*a".repeat(2000)}b` };
    const long = { ["aaa"]: "a".repeat(20_000) };
    const before = { ...role, boundClaimsType: "glob", boundClaims: long };
    const said = await sentences(update("jwt:Role", before, { boundClaims: evil }));
    expect(said).toHaveLength(1);
  });
});
