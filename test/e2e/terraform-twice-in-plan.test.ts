import { describe, expect, test } from "vitest";
import { forgotten, role, roleSet, roles } from "../support/terraform-job-roles.ts";
import { NO_CHANGES, terraformOptions } from "../support/terraform-life.ts";
import { type TerraformStory, tellTerraform } from "../support/terraform-story.ts";

const ID = "auth/jwt/role/ci";
const RECORD = `trustplane_jwt_role "ci" (${ID})`;
const MADE_BESIDE = `this plan would make ${RECORD}, which an exclusive set does not name, and trustplane_jwt_role_set "jwt" would delete it in each later plan. Name it in \`ignore\``;
const OTHER = 'token_ttl = "2h"';
const IN_TURN = "-parallelism=1";
const FIRST = "lifecycle {\n create_before_destroy = true\n }";
const KEPT_AS_WELL = `the state has ${RECORD} for one resource, and this plan would create it for another one as well`;

/** The plan is refused, and so nothing is written and no record is lost. */
async function expectRefusal({ cli, vault, writesOf }: TerraformStory, reason: string, ...args: readonly string[]) {
  const before = await vault("GET", ID);
  const writes = await writesOf(async () => {
    const { code, text } = await cli.run("apply", "-auto-approve", ...args);
    expect(code, text).toBe(1);
    expect(text.replace(/[\s│]+/g, " ")).toContain(reason);
  });
  expect(writes).toEqual([]);
  expect(await vault("GET", ID)).toEqual({ ...before, data: before.data });
}

async function expectSettled({ apply, plan, vault }: TerraformStory, ...args: readonly string[]) {
  await apply(...args);
  expect(await plan()).toContain(NO_CHANGES);
  expect(await vault("GET", ID)).toMatchObject({ status: 200 });
}

describe("a record that two addresses of a program have", terraformOptions, () => {
  // Terraform plans in the order of names where it plans one at a time.
  test.each([
    ["a", "b"],
    ["b", "a"],
  ])("is not made for a copy of its resource: %s is there, %s is new", (first, second) =>
    tellTerraform(async (story) => {
      const { cli, vault } = story;
      cli.write(role(first));
      await story.apply();
      cli.write(role(first) + role(second, "ci", OTHER));
      await expectRefusal(story, KEPT_AS_WELL, IN_TURN);
      await expectRefusal(story, `\`terraform state list -id='${ID}'\` shows the address that has it`);
      // Letter case is nothing to the server.
      cli.write(role(first) + role(second, "CI", OTHER));
      await expectRefusal(story, `for one resource, and this plan would create it for another one as well`, IN_TURN);
      cli.write(role(first) + role(second, "other", OTHER));
      await expectSettled(story);
      // A change of a name comes to the same.
      cli.write(role(first) + role(second, "ci", OTHER));
      await expectRefusal(story, KEPT_AS_WELL, IN_TURN);
      cli.write(role(second, "ci", OTHER));
      await expectSettled(story);
      expect(await vault("GET", ID)).toMatchObject({ data: { token_ttl: 7200 } });
    }),
  );

  test("is not made for two that are new, and not for a set and a resource", () =>
    tellTerraform(async (story) => {
      const { cli } = story;
      const reason = `this plan would create ${RECORD} for two resources`;
      for (const program of [role("a") + role("b", "ci", OTHER), role("a") + roles("all", "ci", "x")]) {
        cli.write(program);
        await expectRefusal(story, reason, IN_TURN);
      }
      // Beside an exclusive set that does not name it, each plan after this one would be refused.
      const exclusive = (more = "") => roleSet("all", ["x"], `exclusive = true\n${more}`);
      cli.write(role("a") + exclusive());
      await expectRefusal(story, MADE_BESIDE);
      cli.write(role("a") + exclusive('ignore = ["ci"]'));
      await expectSettled(story);
      cli.write(role("a") + roles("all", "x"));
      await story.apply();
      cli.write(role("a") + roles("all", "ci", "x"));
      await expectRefusal(story, KEPT_AS_WELL, IN_TURN);
      // The new address of the whole set is one, too.
      cli.write(role("a") + roles("all", "x") + roles("more", "ci"));
      await expectRefusal(story, KEPT_AS_WELL);
      cli.write(roles("all", "ci", "x") + forgotten("trustplane_jwt_role.a"));
      await expectSettled(story);
      cli.write(roles("all", "ci", "x") + role("a"));
      await expectRefusal(story, KEPT_AS_WELL, IN_TURN);
    }));

  test("is not made anew for one of two addresses that the state has", () =>
    tellTerraform(async (story) => {
      const { cli, apply } = story;
      const group = (address: string, type: string) => `
        resource "trustplane_identity_group" "${address}" {
          name = "people"
          type = "${type}"
        }`;
      cli.write(group("a", "internal"));
      await apply();
      cli.write(group("a", "internal") + group("b", "internal"));
      await apply("-target=trustplane_identity_group.b");
      expect(await story.plan()).toContain(NO_CHANGES);
      cli.write(group("a", "external") + group("b", "internal"));
      await expectRefusal(story, 'the state has trustplane_identity_group "people"', IN_TURN);
    }));

  test.each([
    ["destroys first", ""],
    ["creates first", FIRST],
  ])("is made anew for its only address, in a replacement that %s", (_, more) =>
    tellTerraform(async (story) => {
      const { cli, apply, vault } = story;
      cli.write(role("a", "ci", more) + role("b", "other", more));
      await apply();
      await expectSettled(story, "-replace=trustplane_jwt_role.a", IN_TURN);
      expect((await cli.run("taint", "trustplane_jwt_role.a")).code).toBe(0);
      await expectSettled(story);
      // Each wants what the other one had.
      cli.write(role("a", "other", more) + role("b", "ci", more));
      await apply(IN_TURN);
      expect((await vault("GET", "auth/jwt/role/other")).status).toBe(200);
      await expectSettled(story);
      // The same without the record, which somebody has deleted.
      await vault("DELETE", ID);
      await expectSettled(story);
    }),
  );
});

describe("what an exclusive set does not name", terraformOptions, () => {
  const exclusive = (address: string, more = "") => roleSet(address, ["x", "y"], `exclusive = true\n${more}`);
  const KEPT = `this plan would delete ${RECORD}, which an exclusive set does not name, and keep it for another resource`;

  test("is not deleted where a resource has it, in whichever order the two are planned", () =>
    tellTerraform(async (story) => {
      const { cli, apply } = story;
      cli.write(role("a") + roles("b", "x", "y"));
      await apply();
      cli.write(role("a") + exclusive("b"));
      await expectRefusal(story, KEPT, IN_TURN);
      await expectRefusal(story, "Name it in `ignore` of the set, or take it into the set");
      cli.write(role("a") + exclusive("b", 'ignore = ["c*"]'));
      await expectSettled(story);

      expect((await cli.run("destroy", "-auto-approve")).code).toBe(0);
      cli.write(role("b"));
      await apply();
      for (const [address, more] of [
        ["a", ""],
        ["c", FIRST],
      ] as const) {
        cli.write(role("b") + exclusive(address, more));
        await expectRefusal(story, KEPT, IN_TURN);
      }
      cli.write(exclusive("a").replace("x =", "ci = {}, x =") + forgotten("trustplane_jwt_role.b"));
      await expectSettled(story);
      // The set lets go of it, and would delete it in the next run.
      cli.write(exclusive("a") + role("b"));
      await expectRefusal(story, "create it for another resource", IN_TURN);
    }));

  test("is named by the plan that deletes it, and what another resource would make beside it is refused", () =>
    tellTerraform(async (story) => {
      const { cli, plan, apply, vault } = story;
      await vault("POST", "auth/jwt/role/by-hand", { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] });
      // Terraform leaves out all but one of warnings with the same first line, and roles without an audience have one.
      const warning =
        'Warning: trustplane_jwt_role_set "jwt": the apply deletes 1 record that the set does not name with trustplane_jwt_role_set.all, ';
      const expectWarning = async (...args: readonly string[]) => {
        const text = (await plan(...args)).replace(/[\s│]+/g, " ");
        expect(text).toContain(warning);
        expect(text).toContain(
          "auth/jwt/role/by-hand. What is to stay belongs into `ignore` of the set, or into the set.",
        );
      };
      cli.write(exclusive("all"));
      await expectWarning();
      await apply();
      expect(await vault("GET", "auth/jwt/role/by-hand")).toMatchObject({ status: 404 });
      await vault("POST", "auth/jwt/role/by-hand", { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] });
      // A refresh sees it beside the set's own, and the plan shows that it goes.
      await expectWarning("-refresh=false");
      await expectWarning();
      expect(await plan()).toMatch(/unmanaged += \[\s+- "by-hand"/);
      await apply();
      expect(await plan()).toContain(NO_CHANGES);

      cli.write(role("ci") + exclusive("all", "max_deletes = 5\ndepends_on = [trustplane_jwt_role.ci]"));
      await expectRefusal(story, MADE_BESIDE);
    }));

  test("is compared by the id that the server gives, as that of a parameter", () =>
    tellTerraform(async (story) => {
      const { cli, servers, apply } = story;
      const policySet = servers.freshPolicySet();
      const parameter = `
        resource "trustplane_policy_parameter" "one" {
          policy_set_id = "${policySet}"
          key           = "region"
          value         = "eu"
        }`;
      const set = (more = "") => `
        resource "trustplane_policy_parameter_set" "all" {
          policy_set_id = "${policySet}"
          parameters    = { zone = { value = "a" } }
          exclusive     = true
          ${more}
        }`;
      cli.write(parameter);
      await apply();
      cli.write(parameter + set());
      await expectRefusal(story, "which an exclusive set does not name, and keep it for another resource");
      cli.write(parameter + set('ignore = ["region"]'));
      await apply();
      expect(await story.plan()).toContain(NO_CHANGES);
    }));

  test("is left alone while it is not known what the set ignores, and two names that are not known are not the same", () =>
    tellTerraform(async (story) => {
      const { cli, apply } = story;
      cli.write(role("kept", "ci"));
      await apply();
      cli.write(`
        resource "terraform_data" "x" { input = { a = "c1", b = "c2", ignore = ["c*"] } }
        locals { x = terraform_data.x.output }
        ${role("kept", "ci")}
        ${role("a").replace('"ci"', "local.x.a")}
        ${role("b", "ci", OTHER).replace('"ci"', "local.x.b")}
        ${exclusive("all", "ignore = local.x.ignore")}`);
      await expectSettled(story);
    }));

  test("is not known where the list fails, which is a warning of the plan", () =>
    tellTerraform(
      async ({ cli, plan }) => {
        cli.write(roleSet("all", [], "exclusive = true"));
        expect((await plan()).replace(/[\s│]+/g, " ")).toContain("it is not known which other records there are");
      },
      ["LIST auth/jwt/role 403 x1"],
    ));
});
