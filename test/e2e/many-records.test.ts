import { describe, expect, test } from "vitest";
import { applied, begin, NO_CHANGES, planned, terraformOptions, vault } from "../support/terraform-life.ts";

const COUNT = 100;

describe("a module with many records", { ...terraformOptions, timeout: 600_000 }, () => {
  test("is applied, has nothing to do then, changes and goes away", () =>
    begin(async (servers, cli) => {
      const program = (ttl: string) => `resource "trustplane_jwt_role" "all" {
        for_each      = toset([for at in range(${COUNT}) : tostring(at)])
        name          = each.key
        role_type     = "jwt"
        user_claim    = "sub"
        bound_subject = each.key
        token_ttl     = "${ttl}"
      }`;
      cli.writeModuleAlone("roles", program("1h"));
      await applied(cli, "-parallelism=10");
      expect(await planned(cli)).toContain(NO_CHANGES);
      cli.writeModuleAlone("roles", program("2h"));
      expect(await applied(cli)).toContain(`0 added, ${COUNT} changed, 0 destroyed`);
      expect(await vault(servers, "GET", "auth/jwt/role/99")).toMatchObject({ json: { data: { token_ttl: 7200 } } });
      expect((await cli.run("destroy", "-auto-approve")).text).toContain(`${COUNT} destroyed`);
    }));
});
