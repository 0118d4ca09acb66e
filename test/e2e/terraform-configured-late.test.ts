import { describe, expect, test } from "vitest";
import { terraformOptions } from "../support/terraform-life.ts";
import { tellTerraform } from "../support/terraform-story.ts";

describe("a provider whose server is only known after an apply", terraformOptions, () => {
  const program = (address: string, ttl: string) => `
    resource "terraform_data" "server" { triggers_replace = "${address}" }
    locals {
      address = terraform_data.server.id == "" ? "" : "${address}"
    }
    provider "trustplane" {
      secrets = { address = local.address, token_env = "VAULT_TOKEN" }
    }
    resource "trustplane_jwt_role" "ci" {
      name            = "ci"
      role_type       = "jwt"
      user_claim      = "sub"
      bound_audiences = ["a"]
      token_ttl       = "${ttl}"
    }`;

  test("makes records in the same apply, and asks no other server meanwhile", () =>
    tellTerraform(async ({ servers, cli, plan, apply, vault }) => {
      const { address } = servers.secrets;
      cli.write(program(address, "1h"));
      expect(await plan()).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
      await apply();
      expect((await vault("GET", "auth/jwt/role/ci")).data).toMatchObject({ token_ttl: 3600 });
      expect(await plan()).toContain("No changes.");

      cli.write(program(address, "soon"));
      expect((await cli.run("plan")).text).toContain("token_ttl is not a duration");
    }));

  test("reads nothing that is there, and says what to do", () =>
    tellTerraform(async ({ servers, cli, apply, vault }) => {
      const { address } = servers.secrets;
      cli.write(program(address, "1h"));
      await apply();
      const before = cli.state();
      cli.write(program(`${address}/`, "2h"));
      const { code, text } = await cli.run("plan");
      expect({ code, text: text.replace(/[\s│]+/g, " ") }).toEqual({
        code: 1,
        text: expect.stringContaining(
          "secrets of the provider's configuration is not known yet, and what is there cannot",
        ),
      });
      expect(cli.state()).toBe(before);
      await apply("-target=terraform_data.server");
      await apply();
      expect((await vault("GET", "auth/jwt/role/ci")).data).toMatchObject({ token_ttl: 7200 });
    }));
});
