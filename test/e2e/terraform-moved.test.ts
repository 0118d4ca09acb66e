import { describe, expect, test } from "vitest";
import { terraformOptions } from "../support/terraform-life.ts";
import { type TerraformStory, tellTerraform } from "../support/terraform-story.ts";

const NO_CHANGES = "No changes. Your infrastructure matches the configuration.";
const SECRET = "a-secret-of-this-run";

describe("`moved` from the providers that people have", terraformOptions, () => {
  const moved = (from: string, to: string) => `
    moved {
      from = ${from}.it
      to   = ${to}.it
    }`;

  const vaultIn = (type: string, attributes: Readonly<Record<string, unknown>>) => ({
    source: "hashicorp/vault",
    type,
    name: "it",
    attributes,
  });

  async function fillVault({ vault }: TerraformStory) {
    await vault("POST", "sys/policies/acl/deploy", { policy: 'path "secret/*" { capabilities = ["read"] }' });
    await vault("POST", "sys/auth/jobs", { type: "jwt", description: "for jobs" });
    await vault("POST", "auth/jwt/role/ci", { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] });
    await vault("POST", "sys/mounts/store", { type: "aws" });
    await vault("POST", "identity/group/name/people", { policies: ["deploy"] });
    await vault("POST", "cloud/config/root", { access_key: "AKIAIOSFODNN7EXAMPLE", secret_key: SECRET });
  }

  const program = `
    resource "trustplane_sys_policy" "it" {
      name   = "deploy"
      policy = "path \\"secret/*\\" { capabilities = [\\"read\\"] }"
    }
    resource "trustplane_sys_auth_mount" "it" {
      path        = "jobs"
      type        = "jwt"
      description = "for jobs"
    }
    resource "trustplane_jwt_role" "it" {
      name            = "ci"
      role_type       = "jwt"
      user_claim      = "sub"
      bound_audiences = ["a"]
    }
    resource "trustplane_sys_secrets_mount" "it" {
      path = "store"
      type = "aws"
    }
    resource "trustplane_identity_group" "it" {
      name     = "people"
      policies = ["deploy"]
    }
    resource "trustplane_cloud_root_config" "it" {
      access_key = "AKIAIOSFODNN7EXAMPLE"
      secret_key = "${SECRET}"
    }`;

  test("takes records over without a write, and keeps no secret of the state that was", () =>
    tellTerraform(async (story) => {
      const { cli, plan, apply, writesOf, vault } = story;
      await fillVault(story);
      cli.keepForeign([
        vaultIn("vault_policy", { id: "deploy", name: "deploy", namespace: null, policy: "" }),
        vaultIn("vault_auth_backend", { id: "jobs", path: "jobs", type: "jwt", accessor: "auth_jwt_1" }),
        vaultIn("vault_jwt_auth_backend_role", { id: "auth/jwt/role/ci", backend: "jwt", role_name: "ci" }),
        vaultIn("vault_mount", { id: "store", path: "store", type: "aws" }),
        vaultIn("vault_identity_group", { id: "an-id", name: "people", type: "internal" }),
        vaultIn("vault_aws_secret_backend", {
          id: "cloud",
          path: "cloud",
          access_key: "AKIAIOSFODNN7EXAMPLE",
          secret_key: SECRET,
        }),
      ]);
      const moves = [
        moved("vault_policy", "trustplane_sys_policy"),
        moved("vault_auth_backend", "trustplane_sys_auth_mount"),
        moved("vault_jwt_auth_backend_role", "trustplane_jwt_role"),
        moved("vault_mount", "trustplane_sys_secrets_mount"),
        moved("vault_identity_group", "trustplane_identity_group"),
        moved("vault_aws_secret_backend", "trustplane_cloud_root_config"),
      ];
      cli.write(program + moves.join(""));
      const writes = await writesOf(async () => {
        expect(await plan()).toContain("Plan: 0 to add, 0 to change, 0 to destroy.");
        expect(await apply()).toContain("0 added, 0 changed, 0 destroyed");
      });
      expect(writes).toEqual([]);
      expect(cli.state()).not.toMatch(/vault_/);
      expect(cli.state()).not.toContain(SECRET);
      cli.write(program);
      expect(await plan()).toContain(NO_CHANGES);
      cli.write("");
      await apply();
      expect((await vault("GET", "auth/jwt/role/ci")).status).toBe(404);
    }));

  test("takes records of Consul and HCP Terraform over", () =>
    tellTerraform(async ({ servers: { cluster, policy, freshPolicySet }, cli, plan, apply, writesOf }) => {
      const set = freshPolicySet();
      const tfe = { authorization: `Bearer ${policy.token}`, "content-type": "application/vnd.api+json" };
      const attributes = { key: "region", value: "eu", category: "policy-set" };
      const made = await fetch(`${policy.address}/api/v2/policy-sets/${set}/parameters`, {
        method: "POST",
        headers: tfe,
        body: JSON.stringify({ data: { type: "vars", attributes } }),
      });
      const { data } = (await made.json()) as { readonly data: { readonly id: string } };
      const headers = { "x-consul-token": cluster.token };
      const entry = { Kind: "service-intentions", Name: "web", Sources: [{ Name: "api", Action: "allow" }] };
      const put = { method: "PUT", headers, body: JSON.stringify(entry) };
      expect((await fetch(`${cluster.address}/v1/config`, put)).status).toBe(200);
      cli.keepForeign([
        {
          source: "hashicorp/tfe",
          type: "tfe_policy_set_parameter",
          name: "it",
          attributes: { id: data.id, policy_set_id: set, key: "region", value: "eu", sensitive: false },
        },
        {
          source: "hashicorp/consul",
          type: "consul_config_entry",
          name: "it",
          attributes: { id: "service-intentions-web", kind: "service-intentions", name: "web", namespace: "" },
        },
      ]);
      cli.write(`
        resource "trustplane_policy_parameter" "it" {
          policy_set_id = "${set}"
          key           = "region"
          value         = "eu"
        }
        resource "trustplane_cluster_intention" "it" {
          destination = "web"
          sources     = [{ name = "api", action = "allow" }]
        }
        ${moved("tfe_policy_set_parameter", "trustplane_policy_parameter")}
        ${moved("consul_config_entry", "trustplane_cluster_intention")}`);
      const writes = await writesOf(async () => {
        expect(await plan()).toContain("Plan: 0 to add, 0 to change, 0 to destroy.");
        await apply();
      });
      expect(writes).toEqual([]);
    }));

  test("shows what differs, and takes no record for gone that is on another server", () =>
    tellTerraform(async (story) => {
      const { cli, plan } = story;
      await fillVault(story);
      cli.keepForeign([vaultIn("vault_jwt_auth_backend_role", { id: "x", backend: "jwt", role_name: "ci" })]);
      const role = (ttl: string, name = "ci") => `
        resource "trustplane_jwt_role" "it" {
          name            = "${name}"
          role_type       = "jwt"
          user_claim      = "sub"
          bound_audiences = ["a"]
          ${ttl}
        }
        ${moved("vault_jwt_auth_backend_role", "trustplane_jwt_role")}`;
      cli.write(role('token_ttl = "1h"'));
      expect(await plan()).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
      cli.keepForeign([vaultIn("vault_jwt_auth_backend_role", { id: "x", backend: "jwt", role_name: "none" })]);
      cli.write(role("", "none"));
      const { code, text } = await cli.run("plan");
      expect({ code, text: text.replace(/[\s│]+/g, " ") }).toEqual({
        code: 1,
        text: expect.stringContaining("there is no auth/jwt/role/none, which was to be moved here"),
      });
    }));

  test("refuses what is another record, and says to what it can be moved", () =>
    tellTerraform(async ({ cli }) => {
      cli.keepForeign([vaultIn("vault_policy", { id: "deploy", name: "deploy" })]);
      cli.write(`
        resource "trustplane_jwt_role" "it" {
          name            = "deploy"
          role_type       = "jwt"
          user_claim      = "sub"
          bound_audiences = ["a"]
        }
        ${moved("vault_policy", "trustplane_jwt_role")}`);
      const { code, text } = await cli.run("plan");
      expect({ code, text: text.replace(/[\s│]+/g, " ") }).toEqual({
        code: 1,
        text: expect.stringContaining("it is another record. Move it to trustplane_sys_policy."),
      });
    }));
});
