// @run whole: it asks an older Terraform

import { expect, it } from "vitest";
import { terraformPath } from "../../tools/live/live-binaries.mts";
import { NO_CHANGES } from "../support/terraform-life.ts";
import { tellTerraform } from "../support/terraform-story.ts";

/** Both kinds of secrets: one that always is, and one by a flag. */
const program = (secret: string, policySetId: string) => `
  resource "trustplane_sys_secrets_mount" "cloud" {
    path = "cloud-older"
    type = "aws"
  }
  resource "trustplane_cloud_root_config" "cloud" {
    mount      = trustplane_sys_secrets_mount.cloud.path
    access_key = "AKIAIOSFODNN7EXAMPLE"
    secret_key = "${secret}"
  }
  resource "trustplane_policy_parameter" "token" {
    policy_set_id = "${policySetId}"
    key           = "token"
    sensitive     = true
    value_wo      = "${secret}"
  }
`;

it(
  "a CLI without write-only attributes keeps secrets with a warning, until a newer one goes on",
  { timeout: 120_000 },
  () =>
    tellTerraform(async ({ cli, plan, apply, writesOf, servers }) => {
      const policySetId = servers.freshPolicySet();
      const [first, second] = ["first-secret-of-a-test", "second-secret-of-a-test"];
      cli.use(terraformPath("terraform-1.8"));
      cli.write(program(first, policySetId));
      const made = await apply();
      expect(made).toContain("secret_key is kept in the state");
      expect(made).not.toContain(first);
      expect(await plan()).toContain(NO_CHANGES);

      cli.write(program(second, policySetId));
      const changed = await plan();
      expect(changed).toMatch(/~ "secret_key" = "\w+" -> "\w+"/);
      expect(changed).toMatch(/~ "value" = "\w+" -> "\w+"/);
      expect(await apply()).toContain("0 added, 2 changed, 0 destroyed");
      expect(await plan()).toContain(NO_CHANGES);
      expect(cli.state()).toContain(second);

      cli.use(terraformPath("terraform"));
      expect(await writesOf(() => apply())).toEqual([]);
      expect(cli.state()).not.toContain(second);
      expect(await plan()).toContain(NO_CHANGES);

      cli.use(terraformPath("terraform-1.8"));
      expect(await plan()).toContain("Plan: 0 to add, 2 to change, 0 to destroy.");
      expect(await writesOf(() => apply())).toEqual([]);
      expect(await plan()).toContain(NO_CHANGES);
      expect((await cli.run("destroy", "-auto-approve")).text).toContain("3 destroyed");
    }),
);
