import { describe } from "vitest";
import { startWithVaultAndConsul } from "../support/contract-servers-live.ts";
import { tellTerraformAdoption } from "../support/terraform-adopt-suite.ts";
import { terraformOptions } from "../support/terraform-life.ts";

/** The policy API has no server to build: its part runs on the embedded one. */
describe("trustplane adopt --language hcl on Vault 1.21 and Consul", terraformOptions, () =>
  tellTerraformAdoption(() => startWithVaultAndConsul("1.21")),
);
