import { describe, expect, test } from "vitest";
import { NO_CHANGES, terraformOptions } from "../support/terraform-life.ts";
import { type TerraformStory, tellTerraform } from "../support/terraform-story.ts";

const program = (path: string, type = "jwt") => `
  resource "trustplane_sys_auth_mount" "people" {
    path = "${path}"
    type = "${type}"
  }
  resource "trustplane_identity_group" "team" {
    name  = "team"
    type  = "external"
    alias = { mount = trustplane_sys_auth_mount.people.path, name = "team" }
  }`;

/** The group as the server has it. */
async function groupOf({ vault }: TerraformStory) {
  const { data } = await vault("GET", "identity/group/name/team");
  const { alias } = data as { readonly alias?: { readonly mount_path?: string } };
  return { id: data["id"], mount: alias?.mount_path };
}

describe("an external group and the mount of its alias", terraformOptions, () => {
  test("the group stays the same where the mount moves, and is made anew where the mount is", () =>
    tellTerraform(async (story) => {
      story.cli.write(program("people"));
      await story.apply();
      const made = await groupOf(story);
      expect(made.mount).toBe("auth/people/");

      story.cli.write(program("staff"));
      expect(await story.plan()).toContain("0 to add, 2 to change, 0 to destroy");
      await story.apply();
      expect(await groupOf(story)).toEqual({ ...made, mount: "auth/staff/" });
      expect(await story.plan()).toContain(NO_CHANGES);

      story.cli.write(program("staff", "oidc"));
      expect(await story.plan()).toContain("2 to add, 0 to change, 2 to destroy");
      await story.apply();
      const { id, mount } = await groupOf(story);
      expect(mount).toBe("auth/staff/");
      expect(id).not.toBe(made.id);
      expect(await story.plan()).toContain(NO_CHANGES);
    }));

  test("a role is made anew where its mount is, and where another mount takes the path", () =>
    tellTerraform(async (story) => {
      const { cli, vault, apply, plan } = story;
      const statusOf = async (path: string) => (await vault("GET", `auth/${path}/role/ci`)).status;
      cli.write(mount("first", "jobs", "jwt") + role("first"));
      await apply();
      cli.write(mount("first", "jobs", "oidc") + role("first"));
      expect(await plan()).toContain("2 to add, 0 to change, 2 to destroy");
      await apply();
      expect(await statusOf("jobs")).toBe(200);
      expect(await plan()).toContain(NO_CHANGES);

      await apply("-replace=trustplane_sys_auth_mount.first");
      expect(await statusOf("jobs")).toBe(200);
      expect(await plan()).toContain(NO_CHANGES);

      cli.write(mount("first", "moved", "oidc") + mount("second", "jobs", "oidc", "first") + role("second"));
      await apply();
      expect([await statusOf("jobs"), await statusOf("moved")]).toEqual([200, 404]);
      expect(await plan()).toContain(NO_CHANGES);
    }));
});

const mount = (address: string, path: string, type: string, after = "") => `
  resource "trustplane_sys_auth_mount" "${address}" {
    path = "${path}"
    type = "${type}"
    ${after && `depends_on = [trustplane_sys_auth_mount.${after}]`}
  }`;

const role = (mounted: string) => `
  resource "trustplane_jwt_role" "ci" {
    mount           = trustplane_sys_auth_mount.${mounted}.path
    name            = "ci"
    role_type       = "jwt"
    user_claim      = "sub"
    bound_audiences = ["a"]
  }`;
