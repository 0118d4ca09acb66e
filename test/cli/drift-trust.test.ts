import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { openStack, role, type Wanted } from "./drift-harness.ts";

const bound = { boundClaims: { project_path: "acme/platform", ref: "main" }, tokenPolicies: ["deploy"] };
const { args } = role("x", bound);
const { name: _, ...settings } = args as Values & { name: string };
const set = (roles: Values, more: Values = {}): Wanted => ({
  resource: "jwtRoleSet",
  name: "all",
  args: { mount: "jwt", roles, ...more },
});

type Change = readonly [path: string, body: Values];

async function meaning(wanted: readonly Wanted[], changes: readonly Change[], ...flags: string[]) {
  const stack = await openStack(wanted);
  for (const [path, body] of changes) await stack.raw("secrets").call(path, body);
  const { trust } = (await stack.drift("--json", ...flags)).report();
  return { stack, trust };
}

const anyProject = { role_type: "jwt", bound_claims: { ref: "main" } };
const OPENS = "Jobs of any project on `main` now get the policy `deploy`; before, only of `acme/platform`.";

describe("trustplane drift says what drift means", () => {
  it("in every report, the worst first, and of many roles once", async () => {
    const { stack, trust } = await meaning(
      [role("a", bound), role("b", bound), role("c", bound)],
      [
        ["POST auth/jwt/role/a", anyProject],
        ["POST auth/jwt/role/b", anyProject],
        ["POST auth/jwt/role/c", { role_type: "jwt", token_policies: [] }],
      ],
    );
    expect(trust).toEqual([
      { effect: "opens", sentence: OPENS, by: ["role `a` of `auth/jwt`", "role `b` of `auth/jwt`"] },
      {
        effect: "loses",
        sentence: expect.stringContaining("no longer get the policy `deploy`."),
        by: [expect.any(String)],
      },
    ]);
    const line = `${OPENS} By role \`a\` of \`auth/jwt\`, role \`b\` of \`auth/jwt\`.`;
    expect((await stack.drift()).out.split("\n")[2]).toBe(line);
    expect((await stack.drift("--markdown")).out).toContain(`\n- ${line}\n- `);
    const { results } = JSON.parse((await stack.drift("--sarif")).out).runs[0];
    const meant = results.filter(({ ruleId }: { ruleId: string }) => ruleId === "trust");
    expect(meant.map(({ level }: { level: string }) => level)).toEqual(["error", "note"]);
    expect(meant[0].message.text).toBe(line);
    expect((await stack.drift("--html")).out).toContain(
      '<ul class="trust"><li class="opens">Jobs of any project on <code>',
    );
  });

  it("of a record of a set, of one that is gone, and of one that nobody named", async () => {
    const { trust } = await meaning(
      [set({ a: settings, b: settings }, { exclusive: true })],
      [
        ["POST auth/jwt/role/a", anyProject],
        ["DELETE auth/jwt/role/b", {}],
        [
          "POST auth/jwt/role/mallory",
          { role_type: "jwt", user_claim: "sub", bound_audiences: ["v"], token_policies: ["admin"] },
        ],
      ],
    );
    expect(trust?.map(({ effect, by }) => [effect, by])).toEqual([
      ["opens", ["role `mallory` of `auth/jwt`"]],
      ["opens", ["role `a` of `auth/jwt`"]],
      ["loses", ["role `b` of `auth/jwt`"]],
    ]);
    expect(trust?.[0]?.sentence).toBe(
      "Anybody with a token that `auth/jwt` takes with the audience `v` now gets the policy `admin`: the role is new.",
    );
  });

  it("of a policy, with the roles that give it", async () => {
    const policy: Wanted = {
      resource: "sysPolicy",
      name: "deploy",
      args: { name: "deploy", policy: 'path "secret/*" { capabilities = ["read"] }' },
    };
    const text = 'path "secret/*" { capabilities = ["read"] }\npath "sys/*" { capabilities = ["sudo"] }';
    const { trust } = await meaning([policy, role("a", bound)], [["POST sys/policies/acl/deploy", { policy: text }]]);
    expect(trust).toEqual([
      {
        effect: "gains",
        sentence: "Whoever has the policy `deploy` may now also `sudo` on `sys/*`.",
        by: ["role `a` of `auth/jwt`"],
      },
    ]);
  });

  it("of a group and a mount that have another name now no more than that: neither is gone, nor what is in the mount", async () => {
    const mount: Wanted = { resource: "sysAuthMount", name: "m", args: { path: "ci", type: "jwt" } };
    const alias = { mount: "ci", name: "eng" };
    const args = { name: "engineers", type: "external", policies: ["deploy"], alias };
    const group: Wanted = { resource: "identityGroup", name: "g", args };
    const roles: Wanted = { resource: "jwtRoleSet", name: "all", args: { mount: "ci", roles: { b: settings } } };
    const stack = await openStack([mount, role("a", { mount: "ci", ...bound }), roles, group]);
    const raw = stack.raw("secrets");
    const shown = Object(await raw.call("GET identity/group/name/engineers"));
    await raw.call(`POST identity/group/id/${shown.data.id}`, { name: "people" });
    const renamed = (await stack.drift("--json")).report();
    expect([renamed.trust, renamed.counts.missing, renamed.counts.changed]).toEqual([[], 0, 1]);
    await raw.call("POST sys/remount", { from: "auth/ci", to: "auth/jobs" });
    await expect.poll(async () => (await raw.ask("GET auth/jobs/role/a")).status).toBe(200);
    await raw.call("POST auth/jobs/role/mallory", { role_type: "jwt", user_claim: "sub", bound_audiences: ["v"] });
    const moved = (await stack.drift("--json")).report();
    expect(moved).toMatchObject({ counts: { missing: 0, changed: 4, unmanaged: 1 }, unlisted: [] });
    const properties = moved.resources.flatMap(({ properties }) => properties.map(({ property }) => property));
    expect(properties.toSorted()).toEqual(["alias", "mount", "name", "path", "roles.b.mount"]);
    const sentence =
      "Everybody whose login at `auth/jobs` carries the group `eng` now gets the policy `deploy`, and no longer those";
    expect(moved.trust?.map((each) => each.sentence)).toContainEqual(expect.stringContaining(sentence));
    expect(JSON.stringify(moved.trust)).not.toContain("the group is gone");
  });

  it("of a secret claim only that it cannot be told", async () => {
    const { trust, stack } = await meaning(
      [{ ...role("a", { ...bound, boundClaims: { ref: "needle" } }), secrets: ["boundClaims"] }],
      [["POST auth/jwt/role/a", { role_type: "jwt", token_ttl: 60, bound_claims: { ref: "needle-2" } }]],
    );
    expect(trust?.map(({ effect }) => effect)).toContain("unclear");
    expect(JSON.stringify(trust ?? [])).not.toContain("needle");
    expect((await stack.drift("--markdown")).out).not.toContain("needle");
  });

  it("nothing of what does not decide it, and of what does not count", async () => {
    const other = await meaning(
      [role("a", bound)],
      [["POST auth/jwt/role/a", { role_type: "jwt", verbose_oidc_logging: true }]],
    );
    expect(other.trust).toEqual([]);
    const ignored = await meaning(
      [{ ...role("a", bound), ignoreChanges: ["boundClaims"] }],
      [["POST auth/jwt/role/a", { ...anyProject, verbose_oidc_logging: true }]],
    );
    expect(ignored.trust).toEqual([]);
  });

  it("begins with whose key logs in by a configuration that the stack does not manage, with its roles or others", async () => {
    const jobs: Wanted = { resource: "sysAuthMount", name: "jobs", args: { path: "jobs", type: "jwt" } };
    const theirRole = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };
    const theirs = { jwt_validation_pubkeys: [publicKeyPem()], bound_issuer: "https://evil.example" };
    const who = (roles: string) =>
      `Whoever has a token signed with its 1 written-down key can log in at \`auth/jobs\`${roles}, and this stack does not say so. By somebody else's configuration \`auth/jobs/config\`.`;
    const { drift, raw } = await openStack([jobs, role("deploy", { mount: "jobs", tokenPolicies: ["deploy"] })]);
    expect((await drift()).code).toBe(0);
    await raw("secrets").call("POST auth/jobs/config", theirs);
    const { code, out } = await drift();
    expect([code, out.split("\n")[2]]).toEqual([2, who(", whose roles give `deploy`")]);
    expect(out).toMatch(/^unmanaged +jwt.Config +auth\/jobs\/config$/m);
    expect((await drift("--no-unmanaged")).code).toBe(0);
    await raw("secrets").call("POST auth/jobs/role/x", { ...theirRole, token_policies: ["prod"] });
    expect((await drift()).out).toContain(who(", whose roles give `deploy` and `prod`"));

    const mountOnly = await openStack([jobs]);
    await mountOnly.raw("secrets").call("POST auth/jobs/config", theirs);
    expect((await mountOnly.drift()).out).toContain(who(" for roles that this stack does not have, if there are any"));
  });
});
