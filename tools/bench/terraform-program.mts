import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { quietTerraform, TERRAFORM } from "../terraform/terraform-cli.mts";

/** What can be measured of a program: roles as a resource each, or all as one set. */
export type TerraformShape = "roles" | "set";

/** A program of the real CLI, with the provider of this build and its state in a file. */
export interface TerraformProgram {
  /** Changes the program: every role gets another property. */
  change(): void;
  /** Throws a `StepError` when the CLI fails, or when it has something to do and should not: such a run is no figure. */
  run(...args: readonly string[]): Promise<unknown>;
}

export function openTerraformProgram(
  folder: string,
  { shape, count, env }: { shape: TerraformShape; count: number; env: Readonly<Record<string, string>> },
): TerraformProgram {
  const cwd = mkdtempSync(join(folder, "terraform-"));
  const settings = join(cwd, "cli.tfrc");
  const override = `"trustplane/trustplane" = ${JSON.stringify(join(repository, "bin"))}`;
  writeFileSync(settings, `provider_installation {\n  dev_overrides {\n    ${override}\n  }\n  direct {}\n}\n`);
  const declare = (ttl: string) => writeFileSync(join(cwd, "main.tf"), HEADER + programs[shape](count, ttl));
  declare("10m");
  return {
    change: () => declare("11m"),
    run: (...args) =>
      runTool(TERRAFORM, [...args, "-input=false", "-no-color"], {
        cwd,
        env: { ...quietTerraform(process.env), ...env, TF_CLI_CONFIG_FILE: settings },
      }),
  };
}

const HEADER = `terraform {
  required_providers {
    trustplane = { source = "trustplane/trustplane" }
  }
}
`;

/** The properties that `sample-resources.mts` gives to roles and to a set. */
const programs: Readonly<Record<TerraformShape, (count: number, ttl: string) => string>> = {
  roles: (count, ttl) => `
resource "trustplane_jwt_role" "all" {
  for_each          = toset([for at in range(${count}) : tostring(at)])
  mount             = "jwt"
  name              = "role-\${each.key}"
  role_type         = "jwt"
  user_claim        = "repository"
  bound_audiences   = ["https://vault.example.com"]
  bound_claims      = { repository = "acme/service-\${each.key}", ref = ["refs/heads/main", "refs/tags/*"] }
  bound_claims_type = "glob"
  token_policies    = ["deploy"]
  token_ttl         = "${ttl}"
}
`,
  set: (count, ttl) => `
resource "trustplane_jwt_role_set" "all" {
  mount = "jwt"
  defaults = {
    role_type         = "jwt"
    user_claim        = "repository"
    bound_audiences   = ["https://vault.example.com"]
    bound_claims_type = "glob"
    token_policies    = ["deploy"]
    token_ttl         = "${ttl}"
  }
  roles = {
    for at in range(${count}) : "role-\${at}" => {
      bound_claims = { repository = "acme/service-\${at}", ref = ["refs/heads/main", "refs/tags/*"] }
    }
  }
}
`,
};
