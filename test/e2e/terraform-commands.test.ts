import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { run } from "../cli/drift-harness.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { terraformOptions } from "../support/terraform-life.ts";
import { HIDDEN_SUBJECT, SECRETS, TEAMS_MODULE, terraformProgram } from "../support/terraform-program.ts";
import { createTerraformSandbox } from "../support/terraform-sandbox.ts";
import { environmentOf } from "./watched-servers.ts";

/** With TRUSTPLANE_RECORD_TERRAFORM=1 the story writes what the CLI printed, for the tests that run without it. */
function recorded(name: string, text: string): string {
  if (process.env["TRUSTPLANE_RECORD_TERRAFORM"] !== "1") return text;
  const folder = join(repository, "test/fixtures/terraform");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
  return text;
}

describe("the command on what the real Terraform CLI wrote", terraformOptions, () => {
  test("finds drift in a state, and puts the plan that follows into a comment", async ({ onTestFinished }) => {
    const servers = await startEmbedded();
    onTestFinished(() => servers.close());
    const { secrets, cluster, policy } = servers;
    const env = environmentOf({ secrets, cluster, policy });
    const cli = await createTerraformSandbox(env);
    const done = async (...args: readonly string[]) => {
      const { code, text } = await cli.run(...args);
      expect({ code, text }).toEqual({ code: 0, text: expect.any(String) });
      return text;
    };
    const vault = (method: string, path: string, body: object | null = null) =>
      fetch(`${secrets.address}/v1/${path}`, {
        method,
        headers: { "x-vault-token": secrets.token },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const policySet = servers.freshPolicySet();
    cli.writeModule("teams", TEAMS_MODULE);
    cli.write(terraformProgram({ policySet }));
    await done("get");
    await done("plan", "-out=first");
    const creation = recorded("creation", await done("show", "-json", "first"));
    await done("apply", "first");
    const state = recorded("state", await done("state", "pull"));
    const shown = recorded("shown-state", await done("show", "-json"));
    const drift = (...flags: string[]) => run(["drift", "--state", "-", ...flags], env, state);
    expect(await drift()).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^No drift: 10 resources/) });

    await vault("DELETE", "auth/jwt/role/ci-c.d");
    await vault("POST", "auth/jwt/role/deploy", {
      role_type: "jwt",
      user_claim: "sub",
      bound_subject: "somebody-else",
      token_ttl: 60,
      token_policies: ["deploy", "root"],
    });
    const { code, out, err } = await drift("--fix-with", "up");
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(out).toMatch(/^Drift: 10 resources, 1 changed, 1 missing/);
    expect(out).toContain("what the role demands of `sub` is secret, or not known yet");
    expect(out).toContain('missing       jwt.Role module.teams.trustplane_jwt_role.ci["c.d"]');
    expect(out).toMatch(/jwt\.Role trustplane_jwt_role\.deploy\[0\] +token_ttl: "1h" → "1m"/);
    expect(out).toMatch(/trustplane_jwt_role\.deploy\[0\] +bound_subject: \[secret/);
    expect(out).toContain(
      `terraform apply \\\n  -target 'module.teams.trustplane_jwt_role.ci["c.d"]' \\\n  -target 'trustplane_jwt_role.deploy[0]'`,
    );

    await done("plan", "-refresh-only", "-out=drifted");
    const refreshed = recorded("refresh-only", await done("show", "-json", "drifted"));
    const taken = await run(["comment", "-", "--stack", "acme/platform", "--dry-run"], {}, refreshed);
    expect(taken).toMatchObject({ code: 0, err: "", out: expect.stringContaining("**Changed on the servers**") });

    const changes = { teams: ["a b", "new"], ttl: "2h", capabilities: ["read", "sudo"], path: "/work/" };
    cli.write(terraformProgram({ policySet, secret: SECRETS[1], ...changes }));
    await done("plan", "-out=second");
    const plan = recorded("change", await done("show", "-json", "second"));
    const comment = await run(["comment", "-", "--stack", "acme/platform", "--dry-run"], {}, plan);
    expect(comment).toMatchObject({ code: 0, err: "" });
    expect(comment.out).toContain(
      "**Preview of `acme/platform`**: 1 to replace, 6 to update, 1 to create, 3 unchanged",
    );
    const lint = await run(["lint"], {}, plan);
    expect(lint).toMatchObject({ code: 2, err: "", out: expect.stringContaining("10 resources looked at: 1 note") });

    const printed = [
      out,
      comment.out,
      taken.out,
      lint.out,
      (await run(["lint"], {}, shown)).out,
      (await run(["lint"], {}, creation)).out,
    ];
    for (const secret of [...SECRETS, HIDDEN_SUBJECT, "somebody-else"])
      expect(printed.filter((text) => text.includes(secret))).toEqual([]);

    // Found in the plan, not before it: then there is a plan, and it is not whole.
    cli.write(terraformProgram({ policySet, teams: ["no name of a role!"] }));
    expect(await cli.run("plan", "-out=third")).toMatchObject({ code: 1 });
    const failed = recorded("failed", await done("show", "-json", "third"));
    expect(await run(["lint"], {}, failed)).toMatchObject({
      code: 1,
      err: expect.stringContaining("the preview failed"),
    });
  });
});
