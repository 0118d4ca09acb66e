import { describe, onTestFinished, test } from "vitest";
import { tellTerraformPlatform } from "../e2e/terraform-platform-story.ts";
import { startWithVaultAndConsul } from "../support/contract-servers-live.ts";
import { terraformOptions } from "../support/terraform-life.ts";

describe("examples/platform-terraform on Vault 1.21 and two Consul clusters", terraformOptions, () => {
  test("is applied, checked for drift, repaired, imported and destroyed", async () => {
    const servers = await startWithVaultAndConsul("1.21");
    onTestFinished(() => servers.close());
    await tellTerraformPlatform(servers);
  });
});
