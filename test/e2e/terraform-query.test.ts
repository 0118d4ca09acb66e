import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { reasonWithoutQuery } from "../support/terraform-sandbox.ts";
import { type TerraformStory, tellTerraform } from "../support/terraform-story.ts";

const missing = reasonWithoutQuery();
const options = { timeout: 240_000, ...(missing ? { skip: true, meta: { skipReason: missing } } : {}) };

describe("terraform query", options, () => {
  async function fill({ vault }: TerraformStory) {
    for (const name of ["ci", "deploy", "nightly"]) {
      await vault("POST", `auth/jwt/role/${name}`, {
        role_type: "jwt",
        user_claim: "sub",
        bound_audiences: ["https://vault.example.com"],
        bound_claims: { project: ["a", "b"], protected: true },
        token_ttl: 3600,
      });
    }
    await vault("POST", "sys/policies/acl/deploy", { policy: 'path "secret/*" { capabilities = ["read"] }' });
    await vault("POST", "sys/auth/jobs", { type: "jwt" });
    await vault("POST", "identity/group/name/platform", { policies: ["deploy"] });
    await vault("POST", "cloud/config/lease", { lease: "1h", lease_max: "24h" });
  }

  const list = (type: string, more = "") => `
    list "trustplane_${type}" "all" {
      provider = trustplane
      ${more}
    }`;

  test("shows what is on the servers", () =>
    tellTerraform(async (story) => {
      await fill(story);
      const { cli, servers, writesOf } = story;
      const set = servers.freshPolicySet();
      cli.write("");
      cli.writeLists(
        list("jwt_role") +
          list("sys_auth_mount", "include_resource = true") +
          list("cloud_role") +
          list("policy_parameter", `config {\n policy_set_id = "${set}"\n }`),
      );
      let printed = "";
      const written = await writesOf(async () => {
        const { code, text } = await cli.run("query");
        expect({ code, text }).toEqual({ code: 0, text: expect.any(String) });
        printed = text;
      });
      expect(written).toEqual([]);
      for (const name of ["ci", "deploy", "nightly"])
        expect(printed).toMatch(
          new RegExp(`^list\\.trustplane_jwt_role\\.all .*mount=jwt,name=${name},.* ${name}$`, "m"),
        );
      expect(printed).toMatch(/^list\.trustplane_sys_auth_mount\.all .*path=jobs +jobs$/m);

      cli.writeLists(list("jwt_role", "limit = 2"));
      const { text } = await cli.run("query");
      expect(text.match(/^list\.trustplane_jwt_role\.all /gm)).toHaveLength(2);
    }));

  test("does what the guide says", () =>
    tellTerraform(async (story) => {
      await fill(story);
      const { cli, plan } = story;
      const guide = readFileSync(join(repository, "docs/terraform.md"), "utf8");
      const [, section = ""] = /^## Find what is there.*?^```hcl\n(.*?)^```$/ms.exec(guide) ?? [];
      cli.write("");
      cli.writeLists(section);
      const { text } = await cli.run("query");
      expect(text).toMatch(/^list\.trustplane_jwt_role\.ci .*name=nightly,/m);
      expect(text).toMatch(/^list\.trustplane_sys_policy\.all .*name=deploy,/m);
      expect((await cli.run("query", "-generate-config-out=found.tf")).code).toBe(0);
      expect(await plan()).toContain("Plan: 4 to import, 0 to add, 0 to change, 0 to destroy.");
    }));

  test("writes a program with imports, which changes nothing", () =>
    tellTerraform(async (story) => {
      await fill(story);
      const { cli, plan, apply, writesOf } = story;
      cli.write("");
      cli.writeLists(
        list("jwt_role") +
          list("sys_policy") +
          list("sys_auth_mount") +
          list("cloud_lease_config") +
          list("cloud_role"),
      );
      const { code, text } = await cli.run("query", "-generate-config-out=found.tf");
      expect({ code, text }).toEqual({ code: 0, text: expect.any(String) });
      const program = readFileSync(join(cli.folder, "found.tf"), "utf8");
      const imports = [...program.matchAll(/^import \{/gm)].length;
      expect(program).toMatch(/^resource "trustplane_jwt_role" "all_0" \{$.*?^ {2}token_ttl += "1h"$/ms);
      expect(await plan()).toContain(`Plan: ${imports} to import, 0 to add, 0 to change, 0 to destroy.`);
      expect(await writesOf(() => apply())).toEqual([]);
      expect(await plan()).toContain("No changes.");
    }));

  test("ends with one error where the server refuses a list, or has no such place", () =>
    tellTerraform(async ({ cli }) => {
      cli.write("");
      cli.writeLists(list("jwt_role", 'config {\n mount = "none"\n }'));
      const { code, text } = await cli.run("query");
      expect({ code, text: text.replace(/[\s│╷╵]+/g, " ") }).toEqual({
        code: 1,
        text: expect.stringContaining("listing trustplane_jwt_role: it is not there (GET auth/none/role?list=true)"),
      });
      expect(text.match(/Error:/g)).toHaveLength(1);
    }));
});
