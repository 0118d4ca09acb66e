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
    ...(options.classes === "plugin" ? importFile(program) : {}),
    "README.md": differenceReadme(program, options),
  };
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

function differenceReadme(
  program: Program,
  { project, classes, language, leftOut, unread, missing }: DifferenceOptions,
) {
  const take =
    classes === "plugin" && "import.json" in importFile(program)
      ? "pulumi import --file import.json --generate-code=false --protect=false --yes # only reads the servers\n"
      : "";
  return [
    `# ${project}`,
    "Written by `trustplane adopt --diff`: what the servers have and the stack has not. Nothing was written to a server.",
    `## Next commands\n\n${HOW_TO_TAKE_IN[language]} Then, in the program's folder:\n\n${shell(`${take}pulumi preview\nnpx trustplane drift --unmanaged`)}`,
    ...(language === "hcl" ? variablesSection(program) : secretsSection(program.secrets, language)),
    ...listSection("Missing on the servers", MISSING, missing),
    ...listSection("Left out", "These records are on the servers, and not in these files:", leftOut),
    ...listSection("Not read", "Run `trustplane adopt --diff` again when these can be read:", unread),
  ]
    .join("\n\n")
    .concat("\n");
}

const MISSING =
  "The stack has these, and the servers have not. `pulumi up` makes them again; to give them up, remove them from the program:";

const HOW_TO_TAKE_IN = {
  typescript: "Copy the files into the program and import them from its main file, `policies` first.",
  python: "Copy the folder `resources` into the program and import its modules from `__main__.py`.",
  go: "Copy the files into the program and call their functions from its main function, `declarePolicies` first.",
  yaml: "Copy the resources into `Pulumi.yaml`.",
  hcl: "Copy the files into the configuration.",
} as const;
