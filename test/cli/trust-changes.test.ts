import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
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
const config: Values = { mount: "jobs", oidcDiscoveryUrl: ISSUER, boundIssuer: ISSUER };
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
const beside = [step("same", "jwt:Config", config, config)];

describe("the comment says of a role", () => {
  it.each([
    ["another letter case of a policy", { tokenPolicies: ["Deploy"] }],
    [
      "a value that a glob covers",
      { boundClaimsType: "glob", boundClaims: { ref: ["main", "rel*", "release/1"] } },
      { boundClaimsType: "glob", boundClaims: { ref: ["main", "rel*"] } },
    ],
    [
      "a subject that a claim demands, too",
      { boundClaims: { sub: "ci" } },
      { boundClaims: { sub: "ci" }, boundSubject: "ci" },
    ],
    ["all addresses, written down", { tokenBoundCidrs: ["0.0.0.0/0", "::/0"] }],
    ["another form of a pointer", { boundClaims: { "/ref": "main" } }, { boundClaims: { ref: "main" } }],
    ["the same branches in another form", { boundClaims: { ref: ["main"], project_path: ["acme/platform"] } }],
    ["globs without a star", { boundClaimsType: "glob" }],
  ])("nothing for %s", async (_what, changed, before: Values = {}) => {
    expect(await sentences(update("jwt:Role", { ...role, ...before }, changed))).toEqual([]);
  });

  it("of narrower addresses that others are locked out, and of no gain", async () => {
    const before = { ...role, tokenBoundCidrs: ["10.0.0.0/8"] };
    expect(await sentences(update("jwt:Role", before, { tokenBoundCidrs: ["10.1.0.0/16"] }))).toEqual([
      `* Only jobs of \`acme/platform\` on \`main\` from \`10.1.0.0/16\` still get the policy \`deploy\`, and others no longer (before, also from \`10.0.0.0/8\`).${BY}`,
    ]);
  });

  it("whose tokens it takes, where the preview has its auth method", async () => {
    const open = { ...role, boundClaims: {} };
    expect(await sentences(...beside, step("create", "jwt:Role", undefined, open))).toEqual([
      `* Anybody with a token of \`${ISSUER}\` with the audience \`vault\` now gets the policy \`deploy\`: the role is new.${BY}`,
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
      /^\* Jobs of any project on `main` now .* By role `role-000` of `auth\/jobs`, .* and 995 more\.$/,
    );
    expect(said[1]).toContain("no longer get the policy `deploy`.");
  });

  it("every gain of many sentences, and how many only take something away", async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const roleFor = (name: string, boundSubject: string): Values => ({ ...role, name, boundSubject, boundClaims: {} });
    const steps = numbers.flatMap((index) => [
      step("create", "jwt:Role", undefined, roleFor(`new-${index}`, `n-${index}`)),
      step("delete", "jwt:Role", roleFor(`old-${index}`, `o-${index}`)),
    ]);
    const said = await sentences(...steps);
    expect(said).toHaveLength(41);
    expect(said.filter((line) => line.includes("the role is new"))).toHaveLength(40);
    expect(said.at(-1)).toBe("* 40 more only take something away: the resources below have them.");
  });

  it("in bold, where there is no room for a gain", async () => {
    const subject = (index: number) => `${index} ${"n".repeat(100)}`;
    const steps = Array.from({ length: 400 }, (_, index) =>
      step("create", "jwt:Role", undefined, {
        ...role,
        name: `new-${index}`,
        boundSubject: subject(index),
        boundClaims: {},
      }),
    );
    const said = await sentences(...steps);
    expect(said.at(-1)).toMatch(
      /^\* \*\*\d+ more may let somebody in, or give more\*\*: the resources below have them\.$/,
    );
    const shown = said.filter((line) => line.includes("the role is new")).length;
    expect(shown + Number(/\d+/.exec(said.at(-1) ?? "")?.[0])).toBe(400);
  });

  it("the same of a record of a set", async () => {
    const { mount, name: _, ...settings } = role;
    const set = (changed: Values) => ({ mount, roles: { deploy: { ...settings, ...changed } } });
    const change = { ...step("update", "jwt:RoleSet", set({}), set({ tokenPolicies: ["admin"] })), name: "all" };
    const said = await sentences(change);
    expect(said.map((line) => line.replace(/.*? (now|no longer) /, "$1 "))).toEqual([
      `now get the policy \`admin\`; before, only \`deploy\`.${BY}`,
      `no longer get the policy \`deploy\`.${BY}`,
    ]);
  });
});

describe("the comment says of", () => {
  it("a group, whom it gives what", async () => {
    const who = "Everybody whose login at `auth/people` carries the group `platform`";
    const by = " By group `admins`.";
    expect(await sentences(update("identity:Group", group, { policies: ["root-ca"] }))).toEqual([
      `* ${who} now gets the policy \`root-ca\`; before, only \`admin\`.${by}`,
      `* ${who} no longer gets the policy \`admin\`.${by}`,
    ]);
    expect(await sentences(update("identity:Group", group, { alias: { mount: "people", name: "everyone" } }))).toEqual([
      `* Everybody whose login at \`auth/people\` carries the group \`everyone\` now gets the policy \`admin\`, and no longer those whose login at \`auth/people\` carries the group \`platform\`.${by}`,
    ]);
    const internal = { name: "admins", type: "internal", policies: ["admin"], memberEntityIds: ["id-1", "id-2"] };
    expect(await sentences(update("identity:Group", internal, { memberEntityIds: ["id-2", "id-3"] }))).toEqual([
      `* The member \`id-3\` now gets the policy \`admin\`.${by}`,
      `* The member \`id-1\` no longer gets the policy \`admin\`.${by}`,
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
      `* Whoever has the policy \`deploy\` can now give itself everything: it may write policies by \`sys/policies/acl/*\`.${by}`,
      `* Whoever has the policy \`deploy\` may now also \`update\` on \`sys/policies/acl/*\`.${by}`,
    ]);
    expect(await sentences(...has, step("delete", "sys:Policy", policy(read)))).toEqual([
      `* Whoever has the policy \`deploy\` may do nothing by it any more: the policy is gone.${by}`,
    ]);
    expect(await sentences(step("create", "sys:Policy", undefined, policy(read)))).toEqual([]);
  });

  it("records of one name on two servers, each by itself", async () => {
    const east = { ...update("jwt:Role", role, { boundClaims: { project_path: "acme/platform" } }), name: "east" };
    const west = { ...update("jwt:Role", role, { tokenPolicies: [] }), name: "west" };
    const said = await sentences(east, west);
    expect(said).toEqual([
      `* Jobs of \`acme/platform\` on any branch or tag now get the policy \`deploy\`; before, only on \`main\`.${BY}`,
      expect.stringContaining("no longer get the policy `deploy`."),
    ]);
  });

  it("the issuer of the auth method of the same connection", async () => {
    const there = { ...config, connection: "west", boundIssuer: "https://other.example" };
    const [line] = await sentences(
      ...beside,
      { ...step("same", "jwt:Config", there, there), name: "west" },
      step("create", "jwt:Role", undefined, { ...role, boundClaims: {} }),
    );
    expect(line).toContain(`a token of \`${ISSUER}\` with`);
  });

  it("an auth method, by the kind of its roles, whose tokens it takes", async () => {
    const has = (values: Values) => step("same", "jwt:Role", values, values);
    const discovery = { mount: "jobs", oidcDiscoveryUrl: ISSUER, boundIssuer: ISSUER };
    const unbound = update("jwt:Config", discovery, { boundIssuer: "" });
    // The server compares the discovery URL with the issuer for browsers alone.
    expect(await sentences(has(role), unbound)).toEqual([
      `* Tokens of any issuer now get in at \`auth/jobs\`, whose roles give \`deploy\`, if signed with the keys of \`${ISSUER}\`; before, only of \`${ISSUER}\`.`,
    ]);
    expect(await sentences(has({ ...role, roleType: "oidc" }), unbound)).toEqual([]);
    const keys = { mount: "jobs", boundIssuer: ISSUER, jwtValidationPubkeys: ["a", "b"] };
    expect(await sentences(has(role), update("jwt:Config", keys, { jwtValidationPubkeys: ["a"] }))).toEqual([
      "* Tokens signed with 1 removed key no longer get in at `auth/jobs`, whose roles give `deploy`.",
    ]);
  });

  it("a secret that changes, that nobody can tell", async () => {
    const secret = { ...role, boundClaims: "[secret]" };
    const change = { ...step("update", "jwt:Role", secret, secret), differing: ["boundClaims"] };
    expect(await sentences(change)).toEqual([
      `* Who gets the policy \`deploy\` cannot be told: what the role demands of the claims is secret, or not known yet.${BY}`,
    ]);
    expect(await sentences(update("jwt:Role", secret, { oidcScopes: ["a"] }))).toEqual([]);
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
