import { describe, expect, test } from "vitest";
import { terraformOptions } from "../support/terraform-life.ts";
import { tellTerraform } from "../support/terraform-story.ts";

const impatient = 'provider "trustplane" {\n secrets = { max_retries = 0 }\n}';
const role = (name = "ci", more = "") => `${impatient}
  resource "trustplane_jwt_role" "ci" {
    name            = "${name}"
    role_type       = "jwt"
    user_claim      = "sub"
    bound_audiences = ["a"]
    ${more}
  }`;

describe("what somebody else has made", terraformOptions, () => {
  test("is refused in the plan, which otherwise says what its apply writes over", () =>
    tellTerraform(async ({ cli, apply, vault }) => {
      await vault("POST", "auth/jwt/role/ci", { role_type: "jwt", user_claim: "sub", bound_audiences: ["theirs"] });
      cli.write(role());
      const refused = await cli.run("plan");
      expect(refused.code).toBe(1);
      expect(refused.text.replace(/\s*│?\s+/g, " ")).toMatch(
        /creating trustplane_jwt_role "ci": it exists already with other content: bound_audiences \["theirs"\] → \["a"\]/,
      );
      cli.write(role("ci", 'take_over = "always"'));
      const said = await apply();
      expect(said.match(/is there already: bound_audiences/g)).toHaveLength(1);
      expect((await vault("GET", "auth/jwt/role/ci")).data).toMatchObject({ bound_audiences: ["a"] });
      cli.write(role());
      expect((await cli.run("plan", "-detailed-exitcode")).text).toContain("1 to change");
      await apply();
    }));

  test("is no hindrance to a destroy, which does not make it", () =>
    tellTerraform(
      async ({ cli, apply, plan, vault }) => {
        const own = role("own");
        const theirs = role().replace('"ci" {', '"theirs" {').replace(impatient, "");
        const twin = theirs.replace('"theirs" {', '"twin" {').replace('"ci"', '"own"');
        cli.write(own);
        await apply();
        await vault("POST", "auth/jwt/role/ci", { role_type: "jwt", user_claim: "sub", bound_audiences: ["theirs"] });
        cli.write(own + theirs + twin);
        const { code, text } = await cli.run("destroy", "-auto-approve");
        expect(code, text).toBe(0);
        expect(text).toContain("1 destroyed");
        expect((await vault("GET", "auth/jwt/role/own")).status).toBe(404);
        expect((await vault("GET", "auth/jwt/role/ci")).data).toMatchObject({ bound_audiences: ["theirs"] });
        cli.write(own);
        expect(await plan()).toContain("1 to add");
      },
      [],
      { isStartedByCli: true },
    ));
});

test("a role that has another name and other content in a saved plan is this stack's own", terraformOptions, () =>
  tellTerraform(async ({ cli, apply, plan, vault }) => {
    const named = (name: string, audience: string) =>
      role().replace('"ci" {', `"${name}" {`).replace('"a"', `"${audience}"`);
    for (const round of [1, 2, 3]) {
      cli.write(named(`r${round}`, `a${round}`));
      await plan("-out=saved");
      await apply("saved");
      expect((await vault("GET", "auth/jwt/role/ci")).data).toMatchObject({ bound_audiences: [`a${round}`] });
    }
  }),
);

describe("what a failed creation has left", terraformOptions, () => {
  interface Kept {
    readonly resources: readonly { readonly instances: readonly unknown[] }[];
  }
  const instances = (state: string) => (JSON.parse(state) as Kept).resources.flatMap((each) => each.instances);

  // The first write is done, and its answer is lost.
  const lost = "POST auth/jwt/role/ci cut after x1";

  test("is taken over by the next apply, and never deleted on the way", () =>
    tellTerraform(
      async ({ cli, apply, plan, writesOf, vault }) => {
        cli.write(role());
        expect((await cli.run("apply", "-auto-approve")).code).toBe(1);
        expect(instances(cli.state())).toMatchObject([{ status: "tainted", attributes: { incomplete: true } }]);
        cli.write(role("ci", 'token_ttl = "2h"'));
        const writes = await writesOf(() => apply());
        expect(writes).toEqual(["POST /v1/auth/jwt/role/ci"]);
        expect((await vault("GET", "auth/jwt/role/ci")).data).toMatchObject({ token_ttl: 7200 });
        expect(await plan()).toContain("No changes.");
      },
      [lost],
    ));

  test("stays in the state when the creation that takes it over fails, too", () =>
    tellTerraform(
      async ({ cli, apply, plan }) => {
        cli.write(role());
        await cli.run("apply", "-auto-approve");
        cli.write(role("ci", 'token_ttl = "2h"'));
        const { code } = await cli.run("apply", "-auto-approve");
        expect(code).toBe(1);
        expect(instances(cli.state())).toMatchObject([{ status: "tainted", attributes: { incomplete: true } }]);
        await apply();
        expect(await plan()).toContain("No changes.");
      },
      [lost, "POST auth/jwt/role/ci 400 x1"],
    ));

  const roles = (more = "") => `${impatient}
    resource "trustplane_jwt_role_set" "all" {
      defaults = { role_type = "jwt", user_claim = "sub", bound_audiences = ["a"] }
      roles    = { a = { ${more} }, b = {} }
    }`;

  test("is taken over when all that it has is whole, and a refresh has seen it", () =>
    tellTerraform(
      async ({ cli, apply, plan, writesOf }) => {
        cli.write(roles());
        expect((await cli.run("apply", "-auto-approve")).code).toBe(1);
        await apply("-refresh-only");
        expect(instances(cli.state())).toMatchObject([{ status: "tainted", attributes: { incomplete: true } }]);
        expect(await writesOf(() => apply())).toEqual(["POST /v1/auth/jwt/role/b"]);
        expect(instances(cli.state())).toMatchObject([{ attributes: { incomplete: false } }]);
        expect(await plan()).toContain("No changes.");
      },
      ["POST auth/jwt/role/b 400 x1"],
    ));

  test("is repaired in place after an untaint", () =>
    tellTerraform(
      async ({ cli, apply, plan, writesOf }) => {
        cli.write(roles());
        await cli.run("apply", "-auto-approve");
        expect((await cli.run("untaint", "trustplane_jwt_role_set.all")).code).toBe(0);
        expect(await writesOf(() => apply())).toEqual(["POST /v1/auth/jwt/role/b"]);
        expect(await plan()).toContain("No changes.");
      },
      ["POST auth/jwt/role/b 400 x1"],
    ));

  test("is deleted where the program wants another record now, or none", () =>
    tellTerraform(
      async ({ cli, apply, vault }) => {
        cli.write(role());
        await cli.run("apply", "-auto-approve");
        cli.write(role("other"));
        await apply();
        expect((await vault("GET", "auth/jwt/role/ci")).status).toBe(404);
        expect((await vault("GET", "auth/jwt/role/other")).status).toBe(200);
      },
      [lost],
    ));

  test("is deleted by a destroy", () =>
    tellTerraform(
      async ({ cli, vault }) => {
        cli.write(role());
        await cli.run("apply", "-auto-approve");
        expect((await cli.run("destroy", "-auto-approve")).code).toBe(0);
        expect((await vault("GET", "auth/jwt/role/ci")).status).toBe(404);
      },
      [lost],
    ));
});
