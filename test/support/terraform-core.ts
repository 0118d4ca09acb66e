const cores = ["imitated", "cli"] as const;
export type TerraformCore = (typeof cores)[number];

/**
 * What plans and applies in the contract suite's host for Terraform: an imitation of Terraform's core, or the CLI itself, as in the
 * projects `terraform` and `opentofu` of the live run. Then that host is the only one: the others have nothing of it.
 */
export const terraformCore: TerraformCore = coreNamed(process.env["TRUSTPLANE_TERRAFORM_CORE"] ?? "imitated");

function coreNamed(name: string): TerraformCore {
  const core = cores.find((each) => each === name);
  if (core === undefined) throw new Error(`TRUSTPLANE_TERRAFORM_CORE is ${name}: ${cores}`);
  return core;
}
