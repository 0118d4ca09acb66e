// @run live: it runs the demo

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { terraformOptions } from "../support/terraform-life.ts";

const demo = (env: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, [join(repository, "tools/dispatch.mjs"), "demo", "--terraform"], { env });

describe("npm run demo -- --terraform", { timeout: 240_000 }, () => {
  test("tells the whole story with the real CLI", terraformOptions, async () => {
    const { stdout } = await demo(process.env);

    expect(stdout).toContain("| Apply complete! Resources: 6 added, 0 changed, 0 destroyed.");
    expect(stdout).toMatch(/~ token_ttl += "1h" -> "15m"\n +\| Plan: 0 to add, 1 to change, 0 to destroy\./);
    expect(stdout).toMatch(/All of it worked, in .*\n\nWhere to go next:\n/);
  });

  test("says what is missing where there is no CLI", async () => {
    const failure = await demo({ ...process.env, PATH: "/nowhere" }).catch((error: unknown) => error);

    expect(failure).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is no terraform on PATH\n\nWhat to do next: install Terraform 1\.11/),
    });
  });
});
