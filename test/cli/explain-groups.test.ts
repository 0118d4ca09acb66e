import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { config, deployRole, policy, rightClaims } from "../support/explain-cases.ts";
import { explained, inside, explainToken as token } from "./explain-harness.ts";

describe("trustplane explain", () => {
  const group = (name: string, more: Values) =>
    ({ op: "create", token: "identity:Group", name, after: { name, policies: ["deploy", "admin"], ...more } }) as const;
  const grouped = [
    ...[config, deployRole({ groupsClaim: "groups" }), policy],
    group("platform", { type: "external", alias: { mount: "jobs", name: "team-platform" } }),
    group("elsewhere", { type: "external", alias: { mount: "other", name: "team-other" } }),
    group("on-call", { type: "internal", memberEntityIds: ["id-1"] }),
  ];
  const mayBe = "Who is in the group on-call only the server knows: its members also get deploy and admin.";

  it("says what the groups of a role give, and which may give more", async () => {
    const { out } = await explained(["role", "deploy"], undefined, grouped);
    const [, own = "", byGroup = ""] =
      /^Role deploy .*\n((?: {2,}.*\n)*?) {2}Whose .*\n((?: {4}.*\n)+)/m.exec(out) ?? [];
    expect(out).toContain("  Whose claim groups has team-platform, by the group platform\n");
    expect(own).toContain("  policy deploy\n");
    expect(byGroup).toMatch(/^ {4}policy deploy\n {6}.*\n {4}policy admin\n {6}not in this stack\n/);
    expect(out).toContain(`  ${mayBe}\n`);
    expect(out).not.toContain("team-other");
    const known = group("known", { type: "internal", memberEntityIds: ["id-1"], policies: ["Deploy", "default"] });
    expect((await explained(["role", "deploy"], undefined, [...grouped, known])).out).toBe(out);
    const { roles } = JSON.parse((await explained(["role", "deploy", "--json"], undefined, grouped)).out);
    expect(roles[0].groups[0].policies.map(({ name }: { name: string }) => name)).toEqual(["deploy", "admin"]);
    const alone = await explained(["role", "deploy"], undefined, [
      config,
      deployRole({ groupsClaim: "groups" }),
      policy,
    ]);
    const more = "Groups of auth/jobs that this stack does not have may give more.";
    expect(alone.out).toContain(more);
    expect(out).toContain(more);
    expect((await explained(["role", "deploy"], undefined, [config, deployRole({}), policy])).out).not.toContain(
      "group",
    );
  });

  it("says which policy of a name it means by the connection, or that it cannot be told", async () => {
    const at = (connection: string, path: string) =>
      ({
        ...policy,
        name: connection,
        after: { ...policy.after, connection, policy: `path "${path}" { capabilities = ["read"] }` },
      }) as const;
    const [east, west] = [at("east", "of-east"), at("west", "of-west")];
    const said = async (more: Values) =>
      (await explained(["role", "deploy"], undefined, [config, deployRole(more), east, west])).out;
    const own = await said({ connection: "east" });
    expect(own).toContain("Role deploy of auth/jobs of east: ");
    expect(own).toContain("    of-east: read\n");
    expect(own).not.toContain("of-west");
    expect(await said({})).toContain(
      "    it cannot be told which: the stack has more than one policy deploy, by other connections or namespaces\n",
    );
  });

  it("does not say of a claim what the provider is asked, or is not known", async () => {
    const asked = { ...config, after: { ...config.after, providerConfig: { provider: "gsuite", fetch_groups: true } } };
    const steps = [asked, ...grouped.slice(1), group("later", { type: "external", alias: UNKNOWN })];
    const { out } = await explained(["role", "deploy"], undefined, steps);
    expect(out).toContain("  The group later may give more: its alias is not known.\n");
    expect(out).toContain("  Who is at the provider in team-platform, by the group platform\n");
    expect(out).not.toContain("Whose claim");
  });

  it("says of a token what the login may get more, where it gets in", async () => {
    const claims = { ...rightClaims, groups: ["team-platform"] };
    const within = grouped.with(
      -1,
      group("on-call", { type: "internal", memberEntityIds: ["id-1"], policies: ["root-ca"] }),
    );
    const { out } = await explained([...token, inside], claims, within);
    expect(out).toMatch(
      /policies admin, default, deploy for 15m\. Who is in the group on-call .* also get root-ca\.\n/,
    );
    expect((await explained([...token, inside], claims, grouped)).out).not.toContain("on-call");
    expect((await explained([...token, inside], { ...claims, aud: "x" }, within)).out).not.toContain("on-call");
  });
});
