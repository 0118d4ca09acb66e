import { describe, expect, test } from "vitest";
import { jobKeyPem, jobToken } from "../support/jwt-logins.ts";
import { terraformOptions } from "../support/terraform-life.ts";
import { type TerraformStory, tellTerraform } from "../support/terraform-story.ts";

describe("functions in a Terraform program", terraformOptions, () => {
  async function fill({ servers, vault }: TerraformStory) {
    await vault("POST", "cloud/config/root", await servers.cloudUser("root"));
    await vault("POST", "cloud/roles/deploy", { credential_type: "iam_user" });
    await vault("POST", "auth/jwt/config", { jwt_validation_pubkeys: [jobKeyPem] });
    await vault("POST", "auth/jwt/role/ci", {
      role_type: "jwt",
      user_claim: "sub",
      bound_audiences: ["trustplane"],
      bound_claims: { ref: ["main"] },
      token_ttl: 3600,
    });
  }

  test("data sources show what servers have, and a run of them changes nothing", () =>
    tellTerraform(async (story) => {
      const { servers, cli, apply, plan } = story;
      await fill(story);
      cli.write(`
        data "trustplane_jwt_role" "ci" { name = "CI" }
        data "trustplane_jwt_roles" "all" {}
        data "trustplane_cluster_peerings" "all" {}
        data "trustplane_policy_parameters" "all" { policy_set_id = "${servers.freshPolicySet()}" }
        output "ttl" { value = data.trustplane_jwt_role.ci.token_ttl }
        output "claims" { value = data.trustplane_jwt_role.ci.bound_claims }
        output "names" { value = data.trustplane_jwt_roles.all.names }
        output "peerings" { value = data.trustplane_cluster_peerings.all.peerings }
        output "parameters" { value = data.trustplane_policy_parameters.all.parameters }`);
      await apply();
      const { outputs } = JSON.parse(cli.state()) as { outputs: Record<string, { value: unknown }> };
      const values = Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
      expect(values).toEqual({ ttl: "1h", claims: { ref: ["main"] }, names: ["ci"], peerings: [], parameters: [] });
      expect(await plan()).toContain("No changes.");

      cli.write('data "trustplane_jwt_role" "ci" { name = "nobody" }');
      const { code, text } = await cli.run("plan");
      expect({ code, text: text.replace(/[\s│]+/g, " ") }).toEqual({
        code: 1,
        text: expect.stringContaining("it is not there (GET auth/jwt/role/nobody)"),
      });
    }));

  test("provider functions ask no server", () =>
    tellTerraform(async ({ cli, apply }) => {
      cli.write(`
        output "seconds" { value = provider::trustplane::duration_seconds("1h30m") }
        output "same" { value = provider::trustplane::duration_seconds(3600) }
        output "document" { value = provider::trustplane::canonical_document("{ \\"b\\": [1], \\"a\\": {} }") }`);
      await apply();
      const { outputs } = JSON.parse(cli.state()) as { outputs: Record<string, { value: unknown }> };
      expect([outputs["seconds"]?.value, outputs["same"]?.value]).toEqual([5400, 3600]);
      expect(outputs["document"]?.value).toBe('{"a":{},"b":[1]}');

      cli.write('output "seconds" { value = provider::trustplane::duration_seconds("soon") }');
      const { code, text } = await cli.run("plan");
      expect({ code, text: text.replace(/[\s│]+/g, " ") }).toEqual({
        code: 1,
        text: expect.stringContaining('Invalid value for "duration" parameter: duration is not a duration'),
      });
    }));

  test("ephemeral resources are given back, and nothing of them is kept", () =>
    tellTerraform(async (story) => {
      const { cli, apply, writesOf, vault } = story;
      await fill(story);
      const token = await jobToken({ ref: "main" });
      cli.write(`
        variable "jwt" {
          type      = string
          ephemeral = true
        }
        ephemeral "trustplane_cloud_credentials" "deploy" {
          name = "deploy"
          lifecycle {
            postcondition {
              condition     = self.secret_key != "" && self.renewable
              error_message = "no key"
            }
          }
        }
        ephemeral "trustplane_jwt_login" "ci" {
          role = "ci"
          jwt  = var.jwt
          lifecycle {
            postcondition {
              condition     = startswith(self.client_token, "hvs.") && contains(self.policies, "default")
              error_message = "no token"
            }
          }
        }`);
      const writes = await writesOf(() => apply(`-var=jwt=${token}`));
      const leases = writes.filter((line) => line.endsWith("/sys/leases/revoke"));
      const tokens = writes.filter((line) => line.endsWith("/auth/token/revoke-self"));
      const logins = writes.filter((line) => line.endsWith("/auth/jwt/login"));
      expect([leases.length > 0, tokens.length, logins.length > 0]).toEqual([true, logins.length, true]);
      expect((await vault("LIST", "sys/leases/lookup/cloud/creds/deploy")).status).toBe(404);
      expect(cli.state()).not.toMatch(/hvs\./);
      expect(cli.state()).not.toContain(token);
    }));
});
