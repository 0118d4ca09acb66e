import { spawnSync } from "node:child_process";

/** The CLI that tests and benchmarks run: Terraform's on PATH, or that which the variable names, such as a path of OpenTofu. */
export const TERRAFORM = process.env["TRUSTPLANE_TERRAFORM_CLI"] || "terraform";

/** What is known of the CLI. */
export interface TerraformCli {
  readonly version?: string;
  /** Why it cannot be used; undefined where it can. */
  readonly missing?: string;
}

/** `oldest` is the minor release of 1 that either must be: write-only attributes need 1.11. */
export function terraformCli(oldest = 11): TerraformCli {
  const { error, stdout } = spawnSync(TERRAFORM, ["version", "-json"], {
    encoding: "utf8",
    env: quietTerraform(process.env),
  });
  if (error) return { missing: `no ${TERRAFORM}${TERRAFORM === "terraform" ? " on PATH" : ""}` };
  const { terraform_version: version = "" } = JSON.parse(stdout) as { readonly terraform_version?: string };
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > 1 || (major === 1 && minor >= oldest);
  return { version, ...(isNewEnough ? {} : { missing: `${TERRAFORM} ${version} is older than 1.${oldest}` }) };
}

/** Without the user's own settings, and without a question to anybody whether there is a newer release. */
export function quietTerraform(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const ours = { TF_CLI_CONFIG_FILE: "/dev/null", CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0" };
  return { ...env, ...ours };
}
