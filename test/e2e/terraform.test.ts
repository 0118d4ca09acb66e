import { describe, expect, test } from "vitest";
import { applied, begin, NO_CHANGES, planned, role, terraformOptions, vault } from "../support/terraform-life.ts";

const SECRET = "a-secret-of-this-run-1";
const OTHER_SECRET = "a-secret-of-this-run-2";

describe("the real Terraform CLI", terraformOptions, () => {
  const platform = (set: string, { ttl = '"1h"', secret = SECRET } = {}) => `
    ${role("ci").replace('"1h"', ttl)}
    resource "trustplane_sys_policy" "deploy" {
      name  = "deploy"
      rules = [{ path = "secret/*", capabilities = ["read"] }]
    }
    resource "trustplane_sys_auth_mount" "jobs" {
      path              = "/jobs/"
      type              = "jwt"
      default_lease_ttl = "3600"
    }
    resource "trustplane_jwt_role_set" "jobs" {
      mount    = trustplane_sys_auth_mount.jobs.path
      defaults = { role_type = "jwt", user_claim = "sub", bound_audiences = ["x"] }
      roles    = { build = { bound_claims = { k = "v" } }, test = { token_ttl = 60 } }
    }
    resource "trustplane_policy_parameter" "plain" {
      policy_set_id = "${set}"
      key           = "plain"
      value         = "shown"
    }
    resource "trustplane_policy_parameter" "secret" {
      policy_set_id = "${set}"
      key           = "secret"
      sensitive     = true
      value_wo      = "${secret}"
    }
    resource "trustplane_cloud_root_config" "root" {
      access_key = "AKIAIOSFODNN7EXAMPLE"
      secret_key = "${secret}"
    }`;

  test("plans, applies, changes, repairs and destroys, and keeps no secret", () =>
    begin(async (servers, cli) => {
      const set = servers.freshPolicySet();
      cli.write(platform(set));
      expect(await planned(cli)).toContain("Plan: 7 to add, 0 to change, 0 to destroy.");
      await applied(cli);
      expect(await vault(servers, "GET", "auth/jwt/role/ci")).toMatchObject({ json: { data: { token_ttl: 3600 } } });
      expect(await servers.stored("secrets", "cloud/config/root")).toMatchObject({ secret_key: SECRET });
      expect(await planned(cli)).toContain(NO_CHANGES);

      cli.write(platform(set, { ttl: "3600" }));
      expect(await planned(cli)).toContain(NO_CHANGES);

      cli.write(platform(set, { ttl: '"2h"', secret: OTHER_SECRET }));
      const change = await planned(cli);
      expect(change).toContain("Plan: 0 to add, 3 to change, 0 to destroy.");
      expect(change).toMatch(/~ "secret_key" = "[0-9a-f]{8}" -> "[0-9a-f]{8}"/);
      expect(change).toMatch(/~ token_ttl\s+= "1h" -> "2h"/);
      await applied(cli);
      expect(await servers.stored("secrets", "cloud/config/root")).toMatchObject({ secret_key: OTHER_SECRET });

      await vault(servers, "POST", "auth/jwt/role/ci", {
        role_type: "jwt",
        user_claim: "sub",
        bound_audiences: ["a", "b"],
        token_policies: ["root"],
        bound_claims: { team: ["z"] },
      });
      await vault(servers, "DELETE", "sys/policies/acl/deploy");
      const drift = await planned(cli);
      expect(drift).toContain("Plan: 1 to add, 1 to change, 0 to destroy.");
      expect(drift).toMatch(/- token_policies\s+= \[\s+- "root",/);
      await applied(cli);
      expect(await planned(cli)).toContain(NO_CHANGES);

      const kept = cli.state();
      for (const secret of [SECRET, OTHER_SECRET]) {
        expect(kept.includes(secret) || change.includes(secret)).toBe(false);
        expect(kept).not.toContain(Buffer.from(secret).toString("base64").slice(0, 20));
      }
      expect((await cli.run("destroy", "-auto-approve")).text).toContain("Destroy complete! Resources: 7 destroyed.");
      expect(await vault(servers, "GET", "auth/jwt/role/ci")).toMatchObject({ status: 404 });
    }));

  test("imports what is there, and replaces what has another name", () =>
    begin(async (servers, cli) => {
      cli.write(role("ci"));
      await applied(cli);
      await cli.run("state", "rm", "trustplane_jwt_role.ci");
      expect((await cli.run("import", "trustplane_jwt_role.ci", "auth/jwt/role/ci")).code).toBe(0);
      expect(await planned(cli)).toContain(NO_CHANGES);
      expect((await cli.run("import", "trustplane_jwt_role.ci", "auth/jwt/role/none")).code).toBe(1);

      cli.write(role("ci").replace('"CI"', '"other"'));
      expect(await planned(cli)).toContain("# forces replacement");
      await applied(cli);
      expect(await vault(servers, "GET", "auth/jwt/role/ci")).toMatchObject({ status: 404 });

      cli.write(role("ci", "lifecycle { create_before_destroy = true }").replace('"CI"', '"other"'));
      await applied(cli, "-replace=trustplane_jwt_role.ci");
      expect(await vault(servers, "GET", "auth/jwt/role/other")).toMatchObject({ status: 200 });
      expect(await planned(cli)).toContain(NO_CHANGES);
    }));

  test("keeps a record whose resource has another name now, without `moved`", () =>
    begin(async (servers, cli) => {
      cli.write(role("first"));
      await applied(cli);
      for (const name of ["second", "third", "fourth"]) {
        cli.write(role(name));
        expect(await applied(cli)).toContain("1 added, 0 changed, 1 destroyed");
        expect(await vault(servers, "GET", "auth/jwt/role/ci")).toMatchObject({ status: 200 });
        expect(await planned(cli)).toContain(NO_CHANGES);
      }
    }));

  test("refuses what is wrong, all of it at once, each at its line", () =>
    begin(async (servers, cli) => {
      cli.write(`
        ${role("ci").replace('"1h"', '"soon"').replace('"jwt"', '"saml"')}
        resource "trustplane_policy_parameter" "secret" {
          policy_set_id = "${servers.freshPolicySet()}"
          key           = "secret"
          sensitive     = true
          value         = "${SECRET}"
        }`);
      const { code, text } = await cli.run("plan");
      expect(code).toBe(1);
      expect(text).toMatch(/token_ttl is not a duration/);
      expect(text).toMatch(/role_type must be one of "oidc", "jwt"/);
      expect(text.replace(/\s+/g, " ")).toContain(
        "value is secret, and would be kept in the state: give it in value_wo",
      );
    }));

  test("takes a refusal of the server for an error, never for absence", () =>
    begin(async (servers, cli) => {
      cli.write(role("ci"));
      await applied(cli);
      const before = cli.state();
      const { address, token } = servers.secrets;
      cli.write(`provider "trustplane" {
        secrets = { address = "${address}", token = "${token}x", max_retries = 0 }
      }${role("ci")}`);
      const { code, text } = await cli.run("apply", "-auto-approve");
      expect(code).toBe(1);
      expect(text).toContain("403");
      expect(text).not.toContain(`${token}x`);
      expect(JSON.parse(cli.state()).resources).toEqual(JSON.parse(before).resources);
    }));

  test("records what a failed write has left, and repairs it", () =>
    begin(
      async (servers, cli) => {
        const impatient = 'provider "trustplane" {\n secrets = { max_retries = 0 }\n}';
        const resources = () => JSON.parse(cli.state()).resources;
        const incomplete = (id: string) => ({ attributes: { id: `auth/jwt/role/${id}`, incomplete: true } });
        cli.write(impatient + role("ci"));
        expect(await cli.run("apply", "-auto-approve")).toMatchObject({ code: 1 });
        expect(resources()).toMatchObject([{ instances: [{ status: "tainted", ...incomplete("ci") }] }]);
        await applied(cli);
        expect(await planned(cli)).toContain(NO_CHANGES);

        await vault(servers, "PUT", "auth/jwt/role/other", { role_type: "jwt", user_claim: "x", bound_subject: "y" });
        cli.write(impatient + role("ci").replace('"CI"', '"other"'));
        await cli.run("state", "rm", "trustplane_jwt_role.ci");
        expect(await cli.run("import", "trustplane_jwt_role.ci", "auth/jwt/role/other")).toMatchObject({ code: 0 });
        expect(await cli.run("apply", "-auto-approve")).toMatchObject({ code: 1 });
        expect(resources()).toMatchObject([{ instances: [incomplete("other")] }]);
        expect(await planned(cli)).toMatch(/~ incomplete\s+= true -> false/);
        await applied(cli);
        expect(await planned(cli)).toContain(NO_CHANGES);
      },
      // They are done, and their answers are lost.
      ["POST auth/jwt/role/ci cut after x1", "POST auth/jwt/role/other cut after x1"],
    ));
});
