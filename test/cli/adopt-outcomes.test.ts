import { describe, expect, it } from "vitest";
import { defaultPolicySet } from "../../server/serve.ts";
import { evaluatedFiles } from "../support/adopt-evaluate.ts";
import { type KeptResource, pulumiState, terraformState } from "../support/old-states.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
import { openAdoption } from "./adopt-harness.ts";

const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

async function openMove() {
  const opened = await openAdoption();
  const { raw, server } = opened;
  const secrets = raw("secrets");
  await secrets.call("POST sys/auth/jobs", { type: "jwt" });
  for (const name of ["a", "b"]) {
    await secrets.call(`POST auth/jobs/role/${name}`, body);
    await secrets.call(`POST sys/policies/acl/${name}`, { policy: 'path "x" { capabilities = ["read"] }' });
  }
  const adoptFrom = (text: string, ...flags: string[]) => {
    const file = fileOfTest("old.json", text);
    return opened.adopt("--from-state", file, ...flags);
  };
  return { ...opened, secrets, server, adoptFrom };
}

const policy = (name: string, more: Partial<KeptResource> = {}): KeptResource => ({
  type: "vault_policy",
  name,
  attributes: { id: name, name },
  ...more,
});
const mount: KeptResource = {
  type: "vault_jwt_auth_backend",
  name: "gitlab",
  attributes: { id: "jobs", path: "jobs", type: "jwt" },
};
const role = (name: string): KeptResource => ({
  type: "vault_jwt_auth_backend_role",
  name: "ci",
  key: name,
  attributes: { id: `auth/jobs/role/${name}`, backend: "jobs", role_name: name },
  dependencies: ["vault_jwt_auth_backend.gitlab"],
});

/** The lines of a section of a README. */
function section(readme: string | undefined, title: string): string {
  return readme?.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
}

describe("trustplane adopt --from-state, of several servers", () => {
  it.each([
    ["Terraform", terraformState],
    ["Pulumi", pulumiState],
  ])("is refused until one is named, and then forgets only what was taken over: %s", async (tool, stateOf) => {
    const { adoptFrom, server } = await openMove();
    const old = stateOf([policy("a"), policy("b", { provider: "east" })]);
    server.log.clear();
    const refused = await adoptFrom(old);
    expect(refused).toMatchObject({ code: 1, files: {} });
    expect(refused.err).toContain("vault (1 resource), vault.east (1 resource)");
    expect(refused.err).toContain("--provider vault.east");
    expect(server.log.all()).toEqual([]);

    const { code, files } = await adoptFrom(old, "--provider", "vault.east");
    expect(code).toBe(0);
    expect(evaluatedFiles(files).map(({ args }) => args["name"])).toEqual(["b"]);
    const readme = files["README.md"];
    expect(readme?.match(/^(terraform state rm|pulumi state delete) .*$/gm)).toHaveLength(1);
    const other = tool === "Terraform" ? "vault_policy.a" : "urn:pulumi:dev::old::vault:index/policy:Policy::a";
    expect(section(readme, "Stays in the old state")).toContain(
      `* \`${other}\`: \`it is at the provider vault: adopt it with --provider vault, and that server's address\``,
    );
    expect((await adoptFrom(old, "--provider", "vault.eats")).err).toContain("There are vault, vault.east");
    const both = await adoptFrom(old, "--provider", "vault", "--provider", "vault.east");
    expect(evaluatedFiles(both.files)).toHaveLength(2);
  });

  it("tells a provider in a module, one of an old state, and one that OpenTofu repeats from others", async () => {
    const { adoptFrom } = await openMove();
    const old = terraformState([policy("a"), policy("b")]);
    const refusal = async (text: string) => (await adoptFrom(text)).err;
    const at = 'provider["registry.terraform.io/hashicorp/vault"]';
    const twice = (first: string, second: string) => {
      const state = JSON.parse(old);
      [state.resources[1].provider, state.resources[2].provider] = [first, second];
      return JSON.stringify(state);
    };
    expect(await refusal(twice(at, `module.a.${at}.east`))).toContain("vault (1 resource), module.a.vault.east (1");
    expect(await refusal(twice("provider.vault", "provider.vault.east"))).toContain(
      "vault (1 resource), vault.east (1",
    );
    expect(await refusal(twice(`${at}.by["x"]`, `${at}.by["y"]`))).toContain(
      'vault.by["x"] (1 resource), vault.by["y"]',
    );
  });
});

describe("trustplane adopt --from-state, and what the old state does with it", () => {
  it("names a mount that is left out, with what the old plan would destroy with it", async () => {
    const { adoptFrom } = await openMove();
    const { files } = await adoptFrom(
      terraformState([mount, role("a"), role("b"), policy("a"), policy("b")]),
      "--exclude",
      "sys.AuthMount *",
      "--exclude",
      "sys/policies/acl/b",
    );
    const readme = files["README.md"];
    expect(readme).not.toContain("state rm 'vault_jwt_auth_backend.gitlab'");
    const staying = section(readme, "Stays in the old state");
    expect(staying).toContain("Do not forget these, and keep them in the files");
    expect(staying).toMatch(
      /^\* `vault_jwt_auth_backend\.gitlab`: `--include or --exclude leaves it out; the old plan would destroy it with 2 jwt\.Role of this program`$/m,
    );
    expect(staying).toContain("* `vault_policy.b`: `--include or --exclude leaves it out`");
  });

  it("says what still refers to what is forgotten", async () => {
    const { adoptFrom } = await openMove();
    const { files } = await adoptFrom(terraformState([mount, role("a"), role("b")]), "--exclude", "jwt.Role b");
    expect(section(files["README.md"], "Stays in the old state")).toContain(
      "it refers to vault_jwt_auth_backend.gitlab, which is forgotten: write the values in its place",
    );
  });

  it.each([
    ["Terraform", terraformState],
    ["Pulumi", pulumiState],
  ])("forgets the parts of a group with it, parts first: %s", async (_, stateOf) => {
    const { adoptFrom, secrets } = await openMove();
    const made = await secrets.call("POST identity/group", { name: "team", policies: ["a"] });
    const { id } = Object(made).data;
    const old = stateOf([
      { type: "vault_identity_group", name: "team", attributes: { id, name: "team", external_policies: true } },
      { type: "vault_identity_group_policies", name: "more", attributes: { id, group_id: id, policies: ["a"] } },
      { type: "vault_identity_group_policies", name: "lost", attributes: { id: "x", group_id: "x", policies: ["a"] } },
    ]);
    const readme = (await adoptFrom(old)).files["README.md"];
    const commands = readme?.match(/^(terraform state rm|pulumi state delete) .*$/gm) ?? [];
    expect(commands).toEqual([expect.stringMatching(/more'/), expect.stringMatching(/team'$/)]);
    expect(section(readme, "What belongs together")).toMatch(/^\* `.*team`: with `.*more`$/m);
    expect(section(readme, "Stays in the old state")).toMatch(
      /lost`: `the state does not have its vault_identity_group`/,
    );
  });

  it("keeps the parts of a group that stays, and those of a policy set go with it", async () => {
    const { adoptFrom, secrets } = await openMove();
    const made = await secrets.call("POST identity/group", { name: "team" });
    const { id } = Object(made).data;
    const set = { id: defaultPolicySet, name: defaultPolicySet, organization: "demo" };
    const at = { policy_set_id: defaultPolicySet };
    const old = terraformState([
      { type: "vault_identity_group", name: "team", attributes: { id, name: "team" } },
      { type: "vault_identity_group_member_entity_ids", name: "people", attributes: { id, group_id: id } },
      { type: "tfe_policy_set", name: "guards", attributes: set },
      { type: "tfe_workspace_policy_set", name: "w", attributes: { id: "w", workspace_id: "ws-1", ...at } },
      { type: "tfe_project_policy_set", name: "p", attributes: { id: "p", project_id: "prj-1", ...at } },
      { type: "tfe_workspace_policy_set_exclusion", name: "e", attributes: { id: "e", workspace_id: "ws-2", ...at } },
      // https://github.com/hashicorp/terraform-provider-tfe/issues/2223: an update of the set here leaves its tags alone.
      { type: "tfe_tag_policy_set", name: "t", attributes: { id: "t", key: "env", value: "prod", ...at } },
    ]);
    const readme = (await adoptFrom(old, "--exclude", "identity.Group *")).files["README.md"];
    expect(readme?.match(/(?<=^terraform state rm ').*(?=')/gm)).toEqual([
      "tfe_workspace_policy_set.w",
      "tfe_project_policy_set.p",
      "tfe_workspace_policy_set_exclusion.e",
      "tfe_policy_set.guards",
    ]);
    expect(section(readme, "Stays in the old state")).toContain(
      "* `tfe_tag_policy_set.t`: `no resource of this package stands for it`",
    );
    expect(section(readme, "Stays in the old state")).toContain(
      "* `vault_identity_group_member_entity_ids.people`: `it is a part of vault_identity_group.team, which stays`",
    );
  });

  it("says what it knows of no server, and how to come back", async () => {
    const { adoptFrom } = await openMove();
    const { files } = await adoptFrom(terraformState([policy("a"), policy("gone")]));
    const readme = files["README.md"];
    expect(section(readme, "Not on the servers")).toContain(
      "* `vault_policy.gone`: `the server has no sys/policies/acl/gone`",
    );
    expect(readme).not.toContain("## Left out");
    expect(readme).toContain("terraform state pull > old.tfstate # the way back");
    expect(section(readme, "Back to the old state")).toContain("terraform state push -force old.tfstate");
  });
});
