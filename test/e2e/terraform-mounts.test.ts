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

      // What is in a mount that another hand makes anew after the plan is not the stack's.
      await cli.run("plan", "-destroy", "-out=saved");
      await vault("DELETE", "sys/auth/jobs");
      await vault("POST", "sys/auth/jobs", { type: "oidc" });
      await vault("POST", "auth/jobs/role/ci", { user_claim: "email", role_type: "jwt", bound_audiences: ["theirs"] });
      const { code, text } = await cli.run("apply", "saved");
      expect(code).toBe(1);
      expect(text.replace(/[\s│]+/g, " ")).toMatch(/role "ci" leaves only the state: .* is not the stack's, and stays/);
      expect(await statusOf("jobs")).toBe(200);
    }));
});

describe("a mount whose resource gets another name", terraformOptions, () => {
  const IN_TURN = "-parallelism=1";
  const moved = (from: string, to: string) => `
    moved {
      from = trustplane_sys_auth_mount.${from}
      to   = trustplane_sys_auth_mount.${to}
    }`;
  const forced = (address: string) => mount(address, "jobs", "jwt", "", "force = true");

  // Terraform plans in the order of names where it plans one at a time.
  test.each([
    ["first", "second", forced],
    ["second", "first", forced],
    ["first", "second", (address: string) => mount(address, "jobs", "jwt")],
  ])(
    "is not destroyed for its old name %s and made anew for %s, but moved where the program says so",
    (old, next, at) =>
      tellTerraform(async (story) => {
        const { cli, vault, writesOf, apply, plan } = story;
        cli.write(at(old) + role(old));
        await apply();
        const { data } = await vault("GET", "sys/auth");
        // What changes in it beside that is another reason of Terraform to fail: its final plan would not be the first one.
        cli.write(at(next) + role(next, 'token_ttl = "1h"'));
        const writes = await writesOf(async () => {
          const { code, text } = await cli.run("apply", "-auto-approve", IN_TURN);
          expect(code, text).toBe(1);
          expect(text.replace(/[\s│]+/g, " ")).toMatch(
            /this plan would destroy trustplane_sys_auth_mount "jobs" \(sys\/auth\/jobs\) for one address, with all that is in it, and make it anew for another one\. .*`moved` block.*`terraform state list -id='sys\/auth\/jobs'` shows/,
          );
          expect(text).not.toContain("inconsistent");
        });
        expect(writes).toEqual([]);

        cli.write(at(next) + role(next, 'token_ttl = "1h"') + moved(old, next));
        await apply();
        expect(await vault("GET", "auth/jobs/role/ci")).toMatchObject({ status: 200, data: { token_ttl: 3600 } });
        expect((await vault("GET", "sys/auth")).data["jobs/"]).toEqual(data["jobs/"]);
        expect(await plan()).toContain(NO_CHANGES);
      }),
  );

  test("does not change its path to that of one that changes to its own", () =>
    tellTerraform(async ({ cli, apply }) => {
      cli.write(mount("first", "jobs", "jwt") + mount("second", "people", "jwt"));
      await apply();
      cli.write(mount("first", "people", "jwt") + mount("second", "jobs", "jwt"));
      const { code, text } = await cli.run("plan");
      expect(code, text).toBe(1);
      expect(text.replace(/[\s│]+/g, " ")).toContain("Move one of them to another path first, in a run of its own");
    }));

  test("changes its path to that of one that goes", () =>
    tellTerraform(async ({ cli, apply, plan }) => {
      cli.write(mount("first", "jobs", "jwt") + mount("second", "people", "jwt"));
      await apply();
      cli.write(mount("first", "people", "jwt"));
      expect(await plan()).toContain("0 to add, 1 to change, 1 to destroy");
    }));
});

const mount = (address: string, path: string, type: string, after = "", more = "") => `
  resource "trustplane_sys_auth_mount" "${address}" {
    path = "${path}"
    type = "${type}"
    ${after && `depends_on = [trustplane_sys_auth_mount.${after}]`}
    ${more}
  }`;

const role = (mounted: string, more = "") => `
  resource "trustplane_jwt_role" "ci" {
    mount           = trustplane_sys_auth_mount.${mounted}.path
    name            = "ci"
    role_type       = "jwt"
    user_claim      = "sub"
    bound_audiences = ["a"]
    ${more}
  }`;
