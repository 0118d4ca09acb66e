import { describe, onTestFinished, test } from "vitest";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { terraformOptions } from "../support/terraform-life.ts";
import { tellTerraformPlatform } from "./terraform-platform-story.ts";

describe("examples/platform-terraform", terraformOptions, () => {
  test("is applied, checked for drift, repaired, imported and destroyed", async () => {
    const servers = await startEmbedded();
    onTestFinished(() => servers.close());
    await tellTerraformPlatform(servers);
  });
});
