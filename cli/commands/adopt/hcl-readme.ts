import { installCommand } from "../../io/package-origin";
import { codeSpan } from "../../text/markdown";
import { hclVariables } from "./hcl";
import { shell } from "./markdown-sections";
import type { Program, SecretValue } from "./program";
import type { ProjectOptions } from "./project-options";
import { projectReadme, variablesOf } from "./project-readme";

/** What to do with a Terraform configuration, and what it does not have. */
export function hclReadme(program: Program, options: ProjectOptions): string {
  const commands = `## Next commands\n\n${TAKE_OVER}\n\n${shell(commandsOf(program))}`;
  return projectReadme(program, {
    ...options,
    as: "configuration",
    sections: [commands, ...variablesSection(program), PROTECTION, GIVE_UP],
  });
}

const TAKE_OVER = `\`terraform.rc\` says where the provider is: in \`node_modules\`, so \`terraform init\` is not needed. \`docs/terraform.md\` of the package
has other ways. The first plan shows only imports, and the first apply writes nothing to the servers.`;

function commandsOf(program: Program): string {
  return `${installCommand()}
export TF_CLI_CONFIG_FILE=$PWD/terraform.rc
${variablesOf(program)}
terraform plan
terraform apply
rm imports.tf # what it takes over is in the state now
terraform plan -detailed-exitcode # exit code 0: no change and no drift`;
}

const PROTECTION = `## Protection

An import protects nothing: \`terraform destroy\` deletes what is live, and so does an apply after a block was removed. While a block has
\`lifecycle { prevent_destroy = true }\`, every plan fails that would delete or replace one of its records. A block that is removed takes
that along: the next apply deletes its records. Replace it as below to keep them.`;

const GIVE_UP = `## Give it up again

This forgets the resources, and every record stays on the servers as it is:

${shell(`terraform state list | while read -r address; do terraform state rm "$address"; done`)}

One resource: replace its block by \`removed { from = <its address> lifecycle { destroy = false } }\`, and apply. Nothing may be applied
between forgetting and deleting the files: Terraform would make anew what its state has not.`;

/** The values to set, with the commands. */
export function variablesSection(program: Program): string[] {
  const { secrets } = program;
  if (secrets.length === 0) return [];
  const names = hclVariables(program);
  const nameOf = ({ key }: SecretValue) => `TF_VAR_${names.get(key)}`;
  const isMap = ({ shown }: SecretValue) => shown !== undefined;
  const commands = secrets.map((secret) => `export ${nameOf(secret)}=…${isMap(secret) ? " # JSON, see below" : ""}`);
  const maps = secrets.filter(isMap).map((secret) => {
    const { property, resource, shown } = secret;
    const seen = `The server shows ${codeSpan(JSON.stringify(shown))} and leaves out secret members`;
    return `* ${codeSpan(nameOf(secret))}: all members of ${codeSpan(property)} of ${codeSpan(resource)} as JSON. ${seen}.`;
  });
  return [
    `## Values that no server shows\n\n${UNTIL_SET}`,
    shell(commands.join("\n")),
    ...(maps.length > 0 ? [maps.join("\n")] : []),
  ];
}

const UNTIL_SET = `The resources that need them are comments in their files, and their records are left alone. Set a value, remove the \`# \` of its
lines, and \`terraform apply\` takes the record over and writes it with this value. The variables are ephemeral: no value is in
the state or in a saved plan, and every plan and apply needs it.`;
