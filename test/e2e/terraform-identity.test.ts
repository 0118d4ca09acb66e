import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NO_CHANGES, role, terraformSince } from "../support/terraform-life.ts";
import type { TerraformSandbox } from "../support/terraform-sandbox.ts";
import { tellTerraform } from "../support/terraform-story.ts";

interface Kept {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly attributes: { readonly id: string }; readonly identity?: object }[];
  }[];
}

/** The addresses in the state, with the identity that the CLI keeps of each. */
function identities(cli: TerraformSandbox): ReadonlyMap<string, object | undefined> {
  const { resources } = JSON.parse(cli.state()) as Kept;
  return new Map(resources.map(({ type, name, instances }) => [`${type}.${name}`, instances[0]?.identity]));
}

const imported = (address: string, identity: object) => `
import {
  to       = ${address}
  identity = ${JSON.stringify(identity)}
}
`;

const everyKind = (policySet: string) => `${role("ci")}
resource "trustplane_sys_policy" "deploy" {
  name   = "Deploy"
  policy = "path \\"secret/*\\" {}"
}
resource "trustplane_sys_auth_mount" "jobs" {
  path = "/team/jobs/"
  type = "jwt"
}
resource "trustplane_sys_secrets_mount" "cloud" {
  path = "team/cloud"
  type = "aws"
}
resource "trustplane_jwt_role_set" "jobs" {
  mount = trustplane_sys_auth_mount.jobs.path
  roles = { build = { role_type = "jwt", user_claim = "sub", bound_claims = { k = "v" } } }
}
resource "trustplane_identity_group" "builders" {
  name     = "builders"
  policies = ["deploy"]
}
resource "trustplane_cloud_role" "read" {
  name            = "read"
  credential_type = "iam_user"
  policy_arns     = ["arn:aws:iam::aws:policy/ReadOnlyAccess"]
}
resource "trustplane_cluster_intention" "web" {
  destination = "web"
  sources     = [{ name = "shop", action = "allow" }]
}
resource "trustplane_cluster_exported_services" "all" {
  services = [{ name = "web", consumers = [{ peer = "west" }] }]
}
resource "trustplane_policy_parameter" "limit" {
  policy_set_id = "${policySet}"
  key           = "limit"
  value         = "5000"
}
resource "trustplane_policy_policy_set" "production" {
  organization = "demo"
  name         = "production"
}
`;

describe("the identity of a record in Terraform", terraformSince(12), () => {
  test("is kept of every kind of record, and an import by it changes nothing", () =>
    tellTerraform(async ({ servers, cli, apply, plan, writesOf }) => {
      const program = everyKind(servers.freshPolicySet());
      cli.write(program);
      await apply();
      const kept = identities(cli);
      expect(kept.size).toBe(11);
      expect(kept.get("trustplane_jwt_role.ci")).toEqual({
        mount: "jwt",
        name: "ci",
        connection_name: null,
        namespace: null,
      });
      expect(kept.get("trustplane_sys_auth_mount.jobs")).toMatchObject({ path: "team/jobs" });
      await cli.run("state", "rm", ...kept.keys());
      cli.write(program + [...kept].map(([address, identity]) => imported(address, identity ?? {})).join(""));
      const writes = await writesOf(async () =>
        expect(await apply()).toContain("11 imported, 0 added, 0 changed, 0 destroyed"),
      );
      expect(writes).toEqual([]);
      expect(identities(cli)).toEqual(kept);
      expect(await plan()).toContain(NO_CHANGES);
    }));

  test("may be written in every form that a program may have", () =>
    tellTerraform(async ({ cli, apply, plan }) => {
      cli.write(role("ci"));
      await apply();
      const kept = identities(cli);
      for (const identity of [{ name: "ci" }, { mount: "/jwt/", name: "CI", namespace: "" }]) {
        await cli.run("state", "rm", "trustplane_jwt_role.ci");
        cli.write(role("ci") + imported("trustplane_jwt_role.ci", identity));
        expect(await apply()).toContain("1 imported, 0 added, 0 changed, 0 destroyed");
        expect(identities(cli)).toEqual(kept);
      }
      expect(await plan()).toContain(NO_CHANGES);
    }));

  test.each([
    [{ name: "none" }, "there is no auth/jwt/role/none"],
    [{ name: "a/b" }, "the identity of trustplane_jwt_role is wrong: name must be"],
    [{ mount: "", name: "ci" }, "the identity of trustplane_jwt_role is wrong: mount must be"],
    [{ mount: "jwt" }, 'attribute "name" is required'],
    [{ name: "ci", connection_name: "east" }, 'connection "east" is not in the provider\'s `connections`'],
  ])("that leads to no record is refused: %j", (identity, reason) =>
    tellTerraform(async ({ cli }) => {
      cli.write(role("ci") + imported("trustplane_jwt_role.ci", identity));
      const { code, text } = await cli.run("plan");
      expect({ code, text: text.replace(/\s+/g, " ") }).toEqual({ code: 1, text: expect.stringContaining(reason) });
    }),
  );

  test("has the CLI write the program of what it imports", () =>
    tellTerraform(async ({ cli, apply, plan, vault }) => {
      await vault("POST", "sys/policies/acl/deploy", { policy: 'path "a" { capabilities = ["read"] }' });
      cli.write(imported("trustplane_sys_policy.deploy", { name: "deploy" }));
      await plan("-generate-config-out=generated.tf");
      expect(readFileSync(join(cli.folder, "generated.tf"), "utf8")).toContain('resource "trustplane_sys_policy"');
      expect(await apply()).toContain("1 imported, 0 added, 0 changed, 0 destroyed");
      cli.write("");
      expect(await plan()).toContain(NO_CHANGES);
    }));

  test("comes into a state that an older CLI has written", () =>
    tellTerraform(async ({ cli, apply, plan }) => {
      cli.write(role("ci"));
      await apply();
      const kept = identities(cli);
      const state = JSON.parse(cli.state(), (key, value) => (key.startsWith("identity") ? undefined : value));
      writeFileSync(join(cli.folder, "terraform.tfstate"), JSON.stringify(state));
      expect([...identities(cli).values()]).toEqual([undefined]);
      expect(await plan()).toContain(NO_CHANGES);
      await apply("-refresh-only");
      expect(identities(cli)).toEqual(kept);
    }));

  test("is another one after the server has moved a mount, and after a replacement", () =>
    tellTerraform(async ({ cli, apply, plan, vault }) => {
      const program = (path: string, name: string) => `
        resource "trustplane_sys_auth_mount" "jobs" {
          path = "${path}"
          type = "jwt"
        }
        ${role("ci").replace('"CI"', `"${name}"`)}`;
      const paths = () => [...identities(cli).values()].map((each) => Reflect.get(Object(each), "path"));
      cli.write(program("jobs", "CI"));
      await apply();
      cli.write(program("work", "other"));
      expect(await apply()).toContain("1 added, 1 changed, 1 destroyed");
      expect(identities(cli).get("trustplane_jwt_role.ci")).toMatchObject({ name: "other" });
      expect(await plan()).toContain(NO_CHANGES);
      await apply("-refresh-only");
      expect(paths()).toContain("work");
      expect((await vault("GET", "sys/auth")).data).toHaveProperty(["work/"]);
    }));
});
