import { describe, expect, test, vi } from "vitest";
import type { ContractServers } from "../support/servers-under-test.ts";
import { applied, begin, NO_CHANGES, planned, terraformOptions, vault } from "../support/terraform-life.ts";
import type { TerraformSandbox } from "../support/terraform-sandbox.ts";

const COUNT = 12;
const roles = (ttl: string) => `resource "trustplane_jwt_role" "all" {
  count         = ${COUNT}
  name          = format("r%d", count.index)
  role_type     = "jwt"
  user_claim    = "sub"
  bound_subject = "s"
  token_ttl     = "${ttl}"
}`;

const namesOn = async (servers: ContractServers) => {
  const { json } = await vault(servers, "LIST", "auth/jwt/role");
  return ((json.data as { keys?: string[] } | undefined)?.keys ?? []).toSorted();
};

/** Wherever a run was ended, the next one ends where the program says, and nothing is left to do. */
async function isFinishedByTheNextRun(servers: ContractServers, cli: TerraformSandbox, ttl: number) {
  await applied(cli);
  expect(await planned(cli)).toContain(NO_CHANGES);
  expect(await namesOn(servers)).toHaveLength(COUNT);
  const { json } = await vault(servers, "GET", "auth/jwt/role/r0");
  expect(json.data).toMatchObject({ token_ttl: ttl });
}

describe("a run of the real Terraform CLI that is ended", terraformOptions, () => {
  test.each(["SIGKILL", "SIGINT"] as const)("by %s while it creates, is finished by the next one", (signal) =>
    begin(async (servers, cli) => {
      cli.write(roles("1h"));
      const some = () =>
        vi.waitUntil(async () => (await namesOn(servers)).length > 2, { timeout: 60_000, interval: 2 });
      const { code, text } = await cli.interrupt(signal, some, "apply", "-auto-approve", "-parallelism=1");
      expect({ code, text }).toEqual({ code: 1, text: expect.not.stringContaining("Apply complete") });
      expect((await namesOn(servers)).length).toBeLessThan(COUNT);
      await isFinishedByTheNextRun(servers, cli, 3600);
    }),
  );

  test("by SIGKILL between a mount that it makes anew and what lives there, is finished by the next one", () =>
    begin(async (servers, cli) => {
      const program = (type: string) => `
        resource "trustplane_sys_auth_mount" "jobs" {
          path  = "jobs"
          type  = "${type}"
          force = true
        }
        resource "trustplane_jwt_role" "ci" {
          mount           = "jobs"
          name            = "ci"
          role_type       = "jwt"
          user_claim      = "sub"
          bound_audiences = ["a"]
          depends_on      = [trustplane_sys_auth_mount.jobs]
        }`;
      const typeNow = async () => Object((await vault(servers, "GET", "sys/auth")).json.data)["jobs/"]?.type;
      cli.write(program("jwt"));
      await applied(cli);
      cli.write(program("oidc"));
      const isMade = () => vi.waitUntil(async () => (await typeNow()) === "oidc", { timeout: 60_000, interval: 2 });
      expect((await cli.interrupt("SIGKILL", isMade, "apply", "-auto-approve")).code).toBe(1);
      expect((await vault(servers, "GET", "auth/jobs/role/ci")).status).toBe(404);

      await applied(cli);
      expect((await vault(servers, "GET", "auth/jobs/role/ci")).status).toBe(200);
      expect(await typeNow()).toBe("oidc");
      expect(await planned(cli)).toContain(NO_CHANGES);
    }));

  test("by Ctrl-C while it changes and deletes, is finished by the next one", () =>
    begin(async (servers, cli) => {
      cli.write(roles("1h"));
      await applied(cli);
      cli.write(roles("2h"));
      const changed = async () =>
        Object((await vault(servers, "GET", "auth/jwt/role/r0")).json.data).token_ttl === 7200;
      await cli.interrupt(
        "SIGINT",
        () => vi.waitUntil(changed, { timeout: 60_000, interval: 2 }),
        "apply",
        "-auto-approve",
      );
      await isFinishedByTheNextRun(servers, cli, 7200);

      const fewer = () =>
        vi.waitUntil(async () => (await namesOn(servers)).length < COUNT, { timeout: 60_000, interval: 2 });
      await cli.interrupt("SIGINT", fewer, "destroy", "-auto-approve");
      expect(await cli.run("destroy", "-auto-approve")).toMatchObject({ code: 0 });
      expect(await namesOn(servers)).toEqual([]);
      expect(JSON.parse(cli.state()).resources).toEqual([]);
    }));
});
