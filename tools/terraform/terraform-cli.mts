import { spawnSync } from "node:child_process";

/** What is known of the CLI on PATH. */
export interface TerraformCli {
  readonly version?: string;
  /** Why it cannot be used; undefined where it can. Write-only attributes need Terraform 1.11. */
  readonly missing?: string;
}

export function terraformCli(): TerraformCli {
  const { error, stdout } = spawnSync("terraform", ["version", "-json"], {
    encoding: "utf8",
    env: quietTerraform(process.env),
  });
  if (error) return { missing: "no terraform on PATH" };
  const { terraform_version: version = "" } = JSON.parse(stdout) as { readonly terraform_version?: string };
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > 1 || (major === 1 && minor >= 11);
  return { version, ...(isNewEnough ? {} : { missing: `terraform ${version} is older than 1.11` }) };
}

/** Without the user's own settings, and without a question to anybody whether there is a newer release. */
export function quietTerraform(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const ours = { TF_CLI_CONFIG_FILE: "/dev/null", CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0" };
  return { ...env, ...ours };
}
