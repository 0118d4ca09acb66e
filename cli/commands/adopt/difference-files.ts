import type { NotAdopted } from "../../sources/servers/found-record";
import { codeSpan } from "../../text/markdown";
import { goCalls } from "./go";
import { importsFile } from "./hcl";
import { variablesSection } from "./hcl-readme";
import { listSection, shell } from "./markdown-sections";
import type { ProjectFiles } from "./output-folder";
import { marked, type Program } from "./program";
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
  if (options.language === "yaml") return { [`${marked("resources", program.mark)}.yaml`]: yamlProgram(program) };
  const files = Object.entries(sourceFiles(program, options));
  return Object.fromEntries(files.filter(([path]) => !OF_EVERY_PROJECT.has(path)));
}

const OF_EVERY_PROJECT: ReadonlySet<string> = new Set([
  "index.ts",
  "tsconfig.json",
  "__main__.py",
  "requirements.txt",
  "resources/__init__.py",
  "go.mod",
  "main.go",
]);

function differenceReadme(program: Program, options: DifferenceOptions) {
  const { project, language, leftOut, unread, missing } = options;
  const isTerraform = language === "hcl";
  const [imports] = Object.keys(importsOf(program, options));
  const take = imports === undefined ? "" : `pulumi import --file ${imports} ${IMPORT}`;
  const commands = isTerraform
    ? terraformCommands(importsFile(program.mark))
    : `${take}pulumi preview\nnpx trustplane drift --unmanaged`;
  const stack = isTerraform ? "configuration" : "stack";
  return [
    `# ${project}`,
    `Written by \`trustplane adopt --diff\`: what the servers have and the ${stack} has not. Nothing was written to a server.`,
    `## Next commands\n\n${howToTakeIn(program, options)}\n\nThen, in ${isTerraform ? "its" : "the program's"} folder:\n\n${shell(commands)}`,
    ...(isTerraform ? variablesSection(program) : secretsSection(program.secrets, language)),
    ...listSection("Missing on the servers", isTerraform ? MISSING_IN_TERRAFORM : MISSING, missing),
    ...listSection("Left out", "These records are on the servers, and not in these files:", leftOut),
    ...listSection("Not read", "Run `trustplane adopt --diff` again when these can be read:", unread),
  ]
    .join("\n\n")
    .concat("\n");
}

const IMPORT = "--generate-code=false --yes # only reads the servers\n";

function terraformCommands(imports: string): string {
  return `terraform plan # shows only imports
terraform apply
rm ${imports} # what it takes over is in the state now
terraform state pull | npx trustplane drift --state -`;
}

const MISSING_IN_TERRAFORM =
  "The configuration has these, and the servers have not. `terraform apply` makes them again; to give them up, remove them from the configuration:";

const MISSING =
  "The stack has these, and the servers have not. `pulumi up` makes them again; to give them up, remove them from the program:";

/** The files to copy, and what the program says to have them. */
function howToTakeIn(program: Program, options: ProjectOptions): string {
  const { language } = options;
  const files = Object.keys({ ...differenceSources(program, options), ...importsOf(program, options) });
  const list = files.map((path) => `* ${codeSpan(path)}`).join("\n");
  const copied = `${HOW_TO_TAKE_IN[language]}\n\n${list}`;
  if (language === "yaml" || language === "hcl") return copied;
  const calls = language === "go" ? goCalls(program.files) : (sourceFiles(program, options)[MAIN[language]] ?? "");
  return `${copied}\n\n${WHERE_TO_CALL[language]}\n\n\`\`\`${language}\n${calls.trimEnd()}\n\`\`\``;
}

const MAIN = { typescript: "index.ts", python: "__main__.py" } as const;

const HOW_TO_TAKE_IN = {
  typescript:
    "Copy these files into the program's folder, and this README not. Their names meet none of an earlier run:",
  python:
    "Copy these files into the program's folder with their paths, and this README not. Their names meet none of an earlier run:",
  go: "Copy these files into the program's folder, and this README not. Their names meet none of an earlier run:",
  yaml: "Copy what the first file has under `config`, `variables` and `resources` to the same places of `Pulumi.yaml`, and the second file into the program's folder:",
  hcl: "Copy these files into the configuration's folder, and this README not. Their names meet none of an earlier run:",
} as const;

const WHERE_TO_CALL = {
  typescript: "Add these lines to the program's main file:",
  python: "Add these lines to `__main__.py`:",
  go: "Add these lines to the function that declares the resources:",
} as const;
