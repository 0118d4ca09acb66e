import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forgotten, role, roles } from "../support/terraform-job-roles.ts";
import { NO_CHANGES, terraformOptions } from "../support/terraform-life.ts";
import { type TerraformStory, tellTerraform } from "../support/terraform-story.ts";

const ID = "auth/jwt/role/ci";

describe("a record that the state has under two addresses", terraformOptions, () => {
  /** Such a state is what a run leaves that is killed after the creation under a new name, too. */
  async function haveTwice({ cli, apply }: TerraformStory, first: string, second: string, address: string) {
    cli.write(first);
    await apply();
    cli.write(first + second);
    await apply(`-target=${address}`);
  }

  /** Nothing is written, and the record stays. */
  async function expectRefusal({ cli, vault, writesOf }: TerraformStory, command = "apply", ...args: string[]) {
    const writes = await writesOf(async () => {
      const { code, text } = await cli.run(command, ...args, ...(command === "plan" ? [] : ["-auto-approve"]));
      const said = text.replace(/[\s│]+/g, " ");
      expect(code, text).toBe(1);
      expect(said).toContain(`the state has trustplane_jwt_role "ci" (${ID}) twice`);
      expect(said).toContain("with `terraform state rm`");
    });
    expect(writes).toEqual([]);
    expect(await vault("GET", ID)).toMatchObject({ status: 200 });
  }

  async function expectKept({ apply, plan, vault }: TerraformStory) {
    await apply();
    expect(await plan()).toContain(NO_CHANGES);
    expect(await vault("GET", ID)).toMatchObject({ status: 200 });
  }

  test("is not deleted for one while the other stays, and what the refusal says helps", () =>
    tellTerraform(async (story) => {
      const { cli, vault } = story;
      await haveTwice(story, role("old"), role("new"), "trustplane_jwt_role.new");
      cli.write(role("new"));
      await expectRefusal(story);
      await expectRefusal(story, "plan", "-refresh=false");
      expect(await cli.run("state", "list", `-id=${ID}`)).toEqual({
        code: 0,
        text: "trustplane_jwt_role.new\ntrustplane_jwt_role.old\n",
      });
      expect(await cli.run("state", "rm", "trustplane_jwt_role.old")).toMatchObject({ code: 0 });
      await expectKept(story);
      expect(await cli.run("destroy", "-auto-approve")).toMatchObject({ code: 0 });
      expect(await vault("GET", ID)).toMatchObject({ status: 404 });
    }));

  test("stays as well where the program has another record under the old address, or replaces it", () =>
    tellTerraform(async (story) => {
      const { cli, vault } = story;
      await haveTwice(story, role("old"), role("new"), "trustplane_jwt_role.new");
      cli.write(role("new") + role("old", "other"));
      await expectRefusal(story);
      cli.write(role("new") + role("old", "other", "lifecycle {\n create_before_destroy = true\n }"));
      await expectRefusal(story);
      // The one that the program keeps is the wrong one to take out, and yet nothing is lost.
      expect(await cli.run("state", "rm", "trustplane_jwt_role.new")).toMatchObject({ code: 0 });
      await expectKept(story);
      expect(await vault("GET", "auth/jwt/role/other")).toMatchObject({ status: 200 });
    }));

  test("is not lost to a second import of it", () =>
    tellTerraform(async (story) => {
      const { cli } = story;
      cli.write(role("old"));
      await story.apply();
      cli.write(`${role("new")}\nimport {\n to = trustplane_jwt_role.new\n id = "${ID}"\n}`);
      await expectRefusal(story);
      cli.write(role("new") + forgotten("trustplane_jwt_role.old"));
      await expectKept(story);
    }));

  test("is not lost to an instance of for_each that goes", () =>
    tellTerraform(async (story) => {
      const { cli } = story;
      const each = (...keys: readonly string[]) => role("all", "ci", `for_each = toset(${JSON.stringify(keys)})`);
      cli.write(each("a"));
      await story.apply();
      cli.write(each("a", "b"));
      await story.apply('-target=trustplane_jwt_role.all["b"]');
      cli.write(each("b"));
      await expectRefusal(story);
      expect(await cli.run("state", "rm", 'trustplane_jwt_role.all["a"]')).toMatchObject({ code: 0 });
      await expectKept(story);
    }));

  test.each([
    ["a set that goes", roles("all", "ci", "x"), ""],
    ["a set that has it no more", roles("all", "ci", "x"), roles("all", "x")],
  ])("is not lost to %s", (_, before, after) =>
    tellTerraform(async (story) => {
      await haveTwice(story, before, role("new"), "trustplane_jwt_role.new");
      story.cli.write(after + role("new"));
      await expectRefusal(story);
      expect(await story.cli.run("state", "rm", "trustplane_jwt_role.new")).toMatchObject({ code: 0 });
      await expectKept(story);
    }),
  );

  test("is deleted where the program has neither, and by a destroy", () =>
    tellTerraform(async (story) => {
      const { cli, apply, vault } = story;
      const gone = async (work: () => Promise<unknown>) => {
        await haveTwice(story, role("old"), role("new"), "trustplane_jwt_role.new");
        await work();
        expect(await vault("GET", ID)).toMatchObject({ status: 404 });
        expect(cli.state()).not.toContain(ID);
      };
      await gone(async () => {
        cli.write("");
        await apply();
      });
      await gone(async () => expect(await cli.run("destroy", "-auto-approve")).toMatchObject({ code: 0 }));
    }));

  test("is left to the state rm by a destroy that finds one of the two without a program", () =>
    tellTerraform(async (story) => {
      const { cli, vault } = story;
      await haveTwice(story, role("old"), role("new"), "trustplane_jwt_role.new");
      cli.write(role("new"));
      await expectRefusal(story, "destroy");
      // Such a destroy plans the deletions alone.
      expect(await cli.run("destroy", "-auto-approve", "-refresh=false")).toMatchObject({ code: 0 });
      expect(await vault("GET", ID)).toMatchObject({ status: 404 });
    }));

  test("is not lost to a deposed object of the same address, as a killed replacement leaves it", () =>
    tellTerraform(async (story) => {
      const { cli } = story;
      cli.write(role("ci"));
      await story.apply();
      const state = JSON.parse(cli.state()) as { resources: { instances: object[] }[] };
      for (const { instances } of state.resources) instances.push({ ...instances[0], deposed: "0123abcd" });
      writeFileSync(join(cli.folder, "terraform.tfstate"), JSON.stringify(state));
      await expectRefusal(story);
      expect(await cli.run("state", "rm", "trustplane_jwt_role.ci")).toMatchObject({ code: 0 });
      await expectKept(story);
      await story.apply("-replace=trustplane_jwt_role.ci");
      await expectKept(story);
    }));
});

describe("a record whose address changes in one run", terraformOptions, () => {
  test.each([
    ["from a resource to another", role("old"), role("new")],
    ["from a resource to a set", role("old"), roles("all", "ci")],
    ["from a set to a resource", roles("all", "ci", "x"), role("new")],
    ["from a set that stays to a resource", roles("all", "ci", "x"), roles("all", "x") + role("new")],
    ["from a resource to a set that was there", role("old") + roles("all", "x"), roles("all", "ci", "x")],
    ["from a resource that gets another", role("old"), role("old", "other") + role("new")],
  ])("stays %s", (_, before, after) =>
    tellTerraform(async ({ cli, apply, plan, vault }) => {
      for (const program of [before, after]) {
        cli.write(program);
        await apply();
        expect(await plan()).toContain(NO_CHANGES);
        expect(await vault("GET", ID)).toMatchObject({ status: 200 });
      }
    }),
  );
});
