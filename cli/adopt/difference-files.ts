import type { NotAdopted } from "./found-record";
import { variablesSection } from "./hcl-readme";
import { listSection, shell } from "./markdown-sections";
import type { ProjectFiles } from "./output-folder";
import type { Program } from "./program";
import { importFile, sourceFiles } from "./project-files";
import type { ProjectOptions } from "./project-options";
import { secretsSection } from "./readme";
import { yamlProgram } from "./yaml";

interface DifferenceOptions extends ProjectOptions {
  readonly missing: readonly NotAdopted[];
}

/** The files that a project which is there takes in: those that every project has of its own are left out. */
export function differenceFiles(program: Program, options: DifferenceOptions): ProjectFiles {
  return {
    ...differenceSources(program, options),
    ...importsOf(program, options),
    "README.md": differenceReadme(program, options),
  };
}

/** In HCL the code has its imports. */
function importsOf(program: Program, { classes, language }: ProjectOptions): ProjectFiles {
  return classes === "plugin" && language !== "hcl" ? importFile(program) : {};
}

/** The code alone. */
export function differenceSources(program: Program, options: ProjectOptions): ProjectFiles {
  if (options.language === "yaml") return { "resources.yaml": yamlProgram(program) };
  const files = Object.entries(sourceFiles(program, options));
  return Object.fromEntries(files.filter(([path]) => !OF_EVERY_PROJECT.has(path)));
}

const OF_EVERY_PROJECT: ReadonlySet<string> = new Set([
  "index.ts",
  "tsconfig.json",
  "__main__.py",
  "requirements.txt",
  "go.mod",
  "main.go",
]);

function differenceReadme(program: Program, options: DifferenceOptions) {
  const { project, language, leftOut, unread, missing } = options;
  const isTerraform = language === "hcl";
  const take = "import.json" in importsOf(program, options) ? IMPORT : "";
  const commands = isTerraform ? TERRAFORM : `${take}pulumi preview\nnpx trustplane drift --unmanaged`;
  const stack = isTerraform ? "configuration" : "stack";
  return [
    `# ${project}`,
    `Written by \`trustplane adopt --diff\`: what the servers have and the ${stack} has not. Nothing was written to a server.`,
    `## Next commands\n\n${HOW_TO_TAKE_IN[language]} Then, in ${isTerraform ? "its" : "the program's"} folder:\n\n${shell(commands)}`,
    ...(isTerraform ? variablesSection(program) : secretsSection(program.secrets, language)),
    ...listSection("Missing on the servers", isTerraform ? MISSING_IN_TERRAFORM : MISSING, missing),
    ...listSection("Left out", "These records are on the servers, and not in these files:", leftOut),
    ...listSection("Not read", "Run `trustplane adopt --diff` again when these can be read:", unread),
  ]
    .join("\n\n")
    .concat("\n");
}

const IMPORT = "pulumi import --file import.json --generate-code=false --yes # only reads the servers\n";

const TERRAFORM = `terraform plan # shows only imports
terraform apply
rm imports.tf # what it takes over is in the state now
terraform state pull | npx trustplane drift --state -`;

const MISSING_IN_TERRAFORM =
  "The configuration has these, and the servers have not. `terraform apply` makes them again; to give them up, remove them from the configuration:";

const MISSING =
  "The stack has these, and the servers have not. `pulumi up` makes them again; to give them up, remove them from the program:";

const HOW_TO_TAKE_IN = {
  typescript: "Copy the files into the program and import them from its main file, `policies` first.",
  python: "Copy the folder `resources` into the program and import its modules from `__main__.py`.",
  go: "Copy the files into the program and call their functions from its main function, `declarePolicies` first.",
  yaml: "Copy the resources into `Pulumi.yaml`.",
  hcl: "Copy the files into the configuration.",
} as const;
