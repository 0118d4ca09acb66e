import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServers } from "../../server/serve.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { type KeptResource, terraformState } from "../support/old-states.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import {
  furnish,
  openTerraformAdoption,
  role,
  rootKey,
  tellTerraformAdoption,
} from "../support/terraform-adopt-suite.ts";
import { terraformOptions } from "../support/terraform-life.ts";
import type { WatchedServers } from "./watched-servers.ts";

async function open() {
  const server = await startServers();
  onTestFinished(() => server.close());
  return { server, ...(await openTerraformAdoption(server)) };
}

/** As README.md says it. */
function removeImports(folder: string, files: Readonly<Record<string, string>>): void {
  const [, name = ""] = files["README.md"]?.match(/^rm (\S+\.tf) /m) ?? [];
  rmSync(join(folder, name));
}

describe("trustplane adopt --language hcl", terraformOptions, () => {
  tellTerraformAdoption(startEmbedded);

  test("manages what hides something once its lines are taken in and its variable is set", async () => {
    const { server, cli, adopted, run, writes, raw } = await open();
    await furnish(raw);
    const files = await adopted("--organization", "demo", "--include", "cloud.*", "--include", "policy.*");
    for (const [path, text] of Object.entries(files).filter(([name]) => name.endsWith(".tf")))
      writeFileSync(join(cli.folder, path), text.replace(/^#(?: (?!No server|Takes over)|$)/gm, ""));
    expect(await run("fmt", "-check", "-diff")).toBe("");
    const variables = ["-var", `cloud_secret_key=${rootKey}`, "-var", `token_value=${rootKey}`];
    const before = server.records();
    writes();
    expect(await run("apply", "-auto-approve", ...variables)).toMatch(/ imported, 0 added, 2 changed, 0 destroyed/);
    expect(writes()).toEqual(expect.arrayContaining(["POST /v1/cloud/config/root"]));
    expect(server.records()).toEqual(before);
    expect(await run("plan", "-detailed-exitcode", ...variables)).toContain("No changes.");
    expect(cli.state()).not.toContain(rootKey);
  });

  test("adds to a configuration what its state does not have yet", async () => {
    const { cli, adopted, run, writes, raw } = await open();
    await raw("secrets").call("POST sys/auth/jobs", { type: "jwt" });
    await raw("secrets").call("POST auth/jobs/role/by_hand", role);
    const only = ["--include", "*.Role *", "--include", "sys.AuthMount *"];
    await adopted("--service", "secrets", ...only);
    await run("apply", "-auto-approve");
    rmSync(join(cli.folder, "imports.tf"));
    await raw("secrets").call("POST auth/jobs/role/by-hand", role);
    writes();

    const more = await adopted("--diff", "--state", join(cli.folder, "terraform.tfstate"), ...only);
    expect(await run("plan")).toContain("Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.");
    expect(await run("apply", "-auto-approve")).toContain("Resources: 1 imported, 0 added, 0 changed");
    removeImports(cli.folder, more);
    expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
    expect(writes()).toEqual([]);
  });

  test("adds loops for the same mount again and again, and no name is there twice", async () => {
    const { cli, adopted, run, writes, raw } = await open();
    for (const mount of ["jobs", "cloud"]) await raw("secrets").ask(`POST sys/auth/${mount}`, { type: "jwt" });
    const only = ["--include", "*.Role *", "--include", "sys.*Mount *"];
    const add = async (time: number) => {
      const roles = Array.from({ length: 4 }, (_, index) => `r${time}-${index}`);
      for (const name of roles) {
        await raw("secrets").call(`POST auth/jobs/role/${name}`, { ...role, token_policies: [name] });
        await raw("secrets").call(`POST auth/cloud/role/${name}`, { ...role, token_policies: [name] });
        await raw("secrets").call(`POST cloud/roles/${name}`, {
          credential_type: "iam_user",
          policy_arns: [`arn:aws:iam::1:policy/${name}`],
        });
      }
      writes();
    };
    const apply = async (count: number, files: Readonly<Record<string, string>>) => {
      expect(await run("fmt", "-check", "-diff")).toBe("");
      expect(await run("validate")).toContain("Success!");
      expect(await run("apply", "-auto-approve")).toContain(`Resources: ${count} imported, 0 added, 0 changed`);
      removeImports(cli.folder, files);
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
      expect(writes()).toEqual([]);
    };
    await raw("secrets").call("POST cloud/roles/first", { credential_type: "iam_user", iam_groups: ["first"] });
    await add(0);
    // Most roles of the cloud come later: their loop wants the local value that the other roles of `cloud` have.
    await apply(8 + 4 + 1, await adopted("--service", "secrets", ...only, "--exclude", "cloud.Role r*"));
    for (const [time, count] of [
      [1, 8 + 8],
      [2, 8 + 4],
    ] as const) {
      await add(time);
      // Copied beside the files that are there, as README.md says.
      await apply(count, await adopted("--diff", "--state", join(cli.folder, "terraform.tfstate"), ...only));
    }
    const files = readdirSync(cli.folder).filter((name) => name.endsWith(".tf"));
    const text = files.map((name) => readFileSync(join(cli.folder, name), "utf8")).join("\n");
    expect(text.match(/for_each/g)).toHaveLength(8);
  });

  test("takes over what another provider has, which then forgets it", async () => {
    const { server, adopted, run, writes, raw } = await open();
    await raw("secrets").call("POST sys/auth/jobs", { type: "jwt" });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
    const names = ["build", 'a "b" ${c}', "it's"];
    for (const name of names)
      await raw("secrets").call(`POST sys/policies/acl/${encodeURIComponent(name)}`, { policy: 'path "a" {}' });
    const old = folderOfTest();
    const policies = names.map((name) => ({
      type: "vault_policy",
      name: "p",
      key: name,
      attributes: { id: name, name },
    }));
    const mount = { type: "vault_auth_backend", name: "ci", attributes: { id: "jobs", path: "jobs", type: "jwt" } };
    writeFileSync(join(old, "terraform.tfstate"), terraformState([mount, ...policies]));
    const files = await adopted("--from-state", join(old, "terraform.tfstate"));
    writes();
    const before = JSON.stringify(server.records());
    expect(await run("apply", "-auto-approve")).toMatch(/Resources: 4 imported, 0 added, 0 changed/);
    const commands = files["README.md"]?.match(/^terraform state rm .*$/gm) ?? [];
    expect(commands).toHaveLength(4);
    execFileSync("sh", ["-ec", commands.join("\n")], { cwd: old, stdio: "pipe" });
    expect(
      JSON.parse(readFileSync(join(old, "terraform.tfstate"), "utf8")).resources.filter(
        ({ mode }: { mode: string }) => mode === "managed",
      ),
    ).toEqual([]);
    expect(writes()).toEqual([]);
    expect(JSON.stringify(server.records())).toBe(before);
  });

  test("as its README says, to the letter, from another provider's state to the end and back again: nothing is lost", async () => {
    const { server, cli, adopted, run, writes, raw } = await open();
    const { id } = await furnishForMove(raw("secrets"));
    const old = folderOfTest();
    const state = join(old, "terraform.tfstate");
    writeFileSync(state, terraformState(keptByOthers(id)));
    const addresses = () =>
      execFileSync("terraform", ["state", "list"], { cwd: old, encoding: "utf8", stdio: "pipe" }).trim().split("\n");
    const managed = () => addresses().filter((address) => !address.startsWith("data."));
    const all = managed();
    const readme = (await adopted("--from-state", state))["README.md"] ?? "";
    const commands = (title: string) => {
      const [, block = ""] = sectionOf(readme, title).split(/```sh\n|\n```/);
      return block.split("\n").map((line) => line.replace(/ #.*/, ""));
    };
    const inOld = (lines: readonly string[]) =>
      execFileSync("sh", ["-ec", lines.join("\n")], { cwd: old, stdio: "pipe" });
    const before = JSON.stringify(server.records());
    writes();

    for (const line of commands("Next commands")) {
      if (line === "terraform apply") await run("apply", "-auto-approve");
      else if (line.startsWith("terraform ")) await run(...line.split(" ").slice(1));
      else if (line.startsWith("rm ")) rmSync(join(cli.folder, line.slice(3)));
    }
    inOld(commands("Forget the old records"));
    // What the state still has is what the reader was told to keep in the files, so that a plan has nothing to destroy.
    const kept = ["Stays in the old state", "Not on the servers"].flatMap((title) => namesIn(sectionOf(readme, title)));
    expect(managed().sort()).toEqual([...kept].sort());
    expect(kept).toEqual(["vault_approle_auth_backend_role.app", "vault_policy.gone"]);

    for (const address of (await run("state", "list")).trim().split("\n")) await run("state", "rm", address);
    inOld(commands("Back to the old state").filter((line) => !line.startsWith("terraform plan")));
    expect(managed()).toEqual(all);
    expect(writes()).toEqual([]);
    expect(JSON.stringify(server.records())).toBe(before);
  });

  test("imports a hundred roles of each of three mounts by three blocks", async () => {
    const { adopted, run, writes, raw } = await open();
    for (const mount of ["a", "b", "c"]) {
      await raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
      for (const index of Array.from({ length: 100 }).keys())
        await raw("secrets").call(`POST auth/${mount}/role/${mount}-${index}`, { ...role, bound_subject: `${index}` });
    }
    writes();
    const files = await adopted("--service", "secrets", "--include", "*.Role *", "--include", "sys.AuthMount *");
    expect(files["imports.tf"]?.match(/for_each/g)).toHaveLength(3);
    expect(await run("apply", "-auto-approve")).toMatch(/Resources: 304 imported, 0 added, 0 changed/);
    expect(writes()).toEqual([]);
  });
});

/** A server as another provider has configured it. */
async function furnishForMove(secrets: ReturnType<WatchedServers["raw"]>): Promise<{ readonly id: string }> {
  await secrets.call("POST sys/auth/jobs", { type: "jwt" });
  await secrets.call("POST sys/auth/machines", { type: "approle" });
  for (const name of ["build", "deploy"]) {
    await secrets.call(`POST auth/jobs/role/${name}`, { ...role, token_policies: [name] });
    await secrets.call(`POST sys/policies/acl/${name}`, { policy: 'path "a" { capabilities = ["read"] }' });
  }
  await secrets.call("POST auth/machines/role/app", { token_policies: ["build"] });
  const made = await secrets.call("POST identity/group", {
    name: "team",
    type: "internal",
    policies: ["build", "deploy"],
  });
  return Object(made).data;
}

/** Its state, written by hand after what the provider's resources store: group and policies of it are two resources there. */
function keptByOthers(group: string): KeptResource[] {
  const mount = {
    id: "jobs",
    path: "jobs",
    type: "jwt",
    accessor: "auth_jwt_1",
    local: false,
    namespace_in_state: true,
  };
  const each = (name: string) => ({
    id: `auth/jobs/role/${name}`,
    backend: "jobs",
    role_name: name,
    user_claim: "sub",
  });
  const policy = (name: string) => ({ type: "vault_policy", name, attributes: { id: name, name, policy: "path" } });
  return [
    { type: "vault_auth_backend", name: "machines", attributes: { id: "machines", path: "machines", type: "approle" } },
    {
      type: "vault_approle_auth_backend_role",
      name: "app",
      attributes: { id: "auth/machines/role/app", backend: "machines", role_name: "app", role_id: "6e7c" },
      dependencies: ["vault_auth_backend.machines"],
    },
    { type: "vault_jwt_auth_backend", name: "jobs", attributes: mount },
    ...["build", "deploy"].map((key) => ({
      type: "vault_jwt_auth_backend_role",
      name: "ci",
      key,
      attributes: each(key),
      dependencies: ["vault_jwt_auth_backend.jobs", `vault_policy.${key}`],
    })),
    ...["build", "deploy", "gone"].map(policy),
    {
      type: "vault_identity_group",
      name: "team",
      attributes: { id: group, name: "team", type: "internal", external_policies: true, policies: [] },
    },
    {
      type: "vault_identity_group_policies",
      name: "team",
      attributes: { id: group, group_id: group, group_name: "team", exclusive: true, policies: ["build", "deploy"] },
      dependencies: ["vault_identity_group.team"],
    },
  ];
}

function sectionOf(readme: string, title: string): string {
  return readme.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
}

/** The resources of a list. */
function namesIn(section: string): string[] {
  return [...section.matchAll(/^\* `([^`]+)`/gm)].map(([, name = ""]) => name);
}
