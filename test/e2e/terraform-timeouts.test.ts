import { describe, expect, test } from "vitest";
import { NO_CHANGES, role, terraformOptions } from "../support/terraform-life.ts";
import { tellTerraform } from "../support/terraform-story.ts";

describe("timeouts in a Terraform program", terraformOptions, () => {
  test("are kept in the state, and a change of them alone writes nothing to the server", () =>
    tellTerraform(async ({ cli, plan, apply, writesOf }) => {
      const timed = (create: string) => role("ci", `timeouts = { create = "${create}", delete = "5m" }`);
      cli.write(timed("10m"));
      await apply();
      expect(await plan()).toContain(NO_CHANGES);

      for (const program of [timed("20m"), role("ci"), timed("20m")]) {
        cli.write(program);
        const writes = await writesOf(async () => {
          expect(await plan()).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
          await apply();
        });
        expect(writes).toEqual([]);
        expect(await plan()).toContain(NO_CHANGES);
      }
      expect(JSON.parse(cli.state()).resources[0].instances[0].attributes.timeouts).toEqual({
        create: "20m",
        read: null,
        update: null,
        delete: "5m",
      });

      // https://github.com/hashicorp/terraform/issues/32661
      await cli.run("state", "rm", "trustplane_jwt_role.ci");
      cli.write(`${timed("20m")}
        import {
          to = trustplane_jwt_role.ci
          id = "auth/jwt/role/ci"
        }`);
      expect(await plan()).toContain("1 to import, 0 to add, 1 to change, 0 to destroy.");
      expect(await writesOf(apply)).toEqual([]);
      expect(await plan()).toContain(NO_CHANGES);

      cli.write(timed("soon"));
      const { code, text } = await cli.run("plan");
      expect({ code, text: text.replace(/[\s│]+/g, " ") }).toEqual({
        code: 1,
        text: expect.stringContaining("timeouts.create is not a duration; allowed is a number of seconds"),
      });
    }));
});
