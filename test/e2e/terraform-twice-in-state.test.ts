import { describe, expect, test } from "vitest";
import { NO_CHANGES, terraformOptions } from "../support/terraform-life.ts";
import { tellTerraform } from "../support/terraform-story.ts";

const role = (address: string, name = "ci") => `resource "trustplane_jwt_role" "${address}" {
  name          = "${name}"
  role_type     = "jwt"
  user_claim    = "sub"
  bound_subject = "s"
}
`;
const ID = "auth/jwt/role/ci";
/** Such a state is what a run leaves that is killed after the creation under a new name. */
const twice = `(${ID}) under two`;

describe("a record that the state has under two addresses", terraformOptions, () => {
  test("is not deleted while one of them stays, and is once both go", () =>
    tellTerraform(async ({ cli, apply, plan, vault }) => {
      cli.write(role("old"));
      await apply();
      cli.write(role("old") + role("new"));
      await apply("-target=trustplane_jwt_role.new");

      cli.write(role("new"));
      const gone = await cli.run("apply", "-auto-approve");
      expect(gone).toEqual({ code: 1, text: expect.stringContaining(twice) });
      cli.write(role("new") + role("old", "other"));
      const renamed = await cli.run("apply", "-auto-approve");
      expect(renamed).toEqual({ code: 1, text: expect.stringContaining("terraform state rm") });
      expect(await vault("GET", ID)).toMatchObject({ status: 200 });

      expect(await cli.run("state", "rm", "trustplane_jwt_role.old")).toMatchObject({ code: 0 });
      await apply();
      expect(await plan()).toContain(NO_CHANGES);
      expect(await vault("GET", ID)).toMatchObject({ status: 200 });
      expect(await cli.run("destroy", "-auto-approve")).toMatchObject({ code: 0 });
      expect(await vault("GET", ID)).toMatchObject({ status: 404 });
    }));

  test("may be given up for one of them, and is deleted where the program has neither", () =>
    tellTerraform(async ({ cli, apply, vault }) => {
      cli.write(role("old"));
      await apply();
      cli.write(role("old") + role("new"));
      expect(await cli.run("import", "trustplane_jwt_role.new", ID)).toMatchObject({ code: 0 });

      cli.write(
        `${role("new")}removed {\n  from = trustplane_jwt_role.old\n  lifecycle {\n    destroy = false\n  }\n}\n`,
      );
      await apply();
      expect(await vault("GET", ID)).toMatchObject({ status: 200 });

      cli.write(role("old") + role("new"));
      expect(await cli.run("import", "trustplane_jwt_role.old", ID)).toMatchObject({ code: 0 });
      cli.write("");
      await apply();
      expect(await vault("GET", ID)).toMatchObject({ status: 404 });
    }));
});
