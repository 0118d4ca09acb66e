import { typeToken } from "../../provider/core/type-token";
import { packageVersion } from "../package-manifest";
import { slug } from "./names";
import type { ProjectFiles } from "./output-folder";
import { type Program, secretsOf } from "./program";
import type { ProjectOptions } from "./project-options";
import { readme } from "./readme";
import { typeScriptFile, typeScriptIndex } from "./typescript";
import { yamlProgram } from "./yaml";
import { yamlLines } from "./yaml-text";

/** The files of a project with this program. */
export function projectFiles(program: Program, options: ProjectOptions): ProjectFiles {
  const { classes, language } = options;
  const project = slug(options.project).toLowerCase();
  const imports = importsOf(program);
  const isImported = classes === "plugin" && imports.length > 0;
  return {
    ".gitignore": "node_modules/\n",
    "Pulumi.yaml": projectFile(program, project, options),
    "README.md": readme(program, { ...options, project, isImported }),
    "package.json": json(language === "yaml" ? packageOnly(project) : manifest(project)),
    ...(language === "yaml" ? {} : typeScriptFiles(program, options)),
    ...(isImported ? { "import.json": json({ resources: imports }) } : {}),
  };
}

const RUNTIMES = { typescript: "nodejs", yaml: "yaml" } as const;

function typeScriptFiles({ files }: Program, { classes, fold }: ProjectOptions): ProjectFiles {
  const library = classes === "plugin" ? "trustplane/native" : "trustplane";
  const sources = files.map((file) => [`${file.name}.ts`, typeScriptFile(file, { library, fold })] as const);
  return { "index.ts": typeScriptIndex(files), "tsconfig.json": json(COMPILER), ...Object.fromEntries(sources) };
}

function projectFile(program: Program, name: string, { classes, language }: ProjectOptions): string {
  const head = `${yamlLines({ name, runtime: RUNTIMES[language] }).join("\n")}\n`;
  return head + (classes === "plugin" ? PLUGIN : "") + (language === "yaml" ? yamlProgram(program) : "");
}

const PLUGIN = `plugins:
  providers:
    - name: trustplane
      path: node_modules/trustplane/bin
`;

/** Records whose values are all known: a preview after their import shows no change. */
function importsOf({ files }: Program) {
  const resources = files.flatMap(({ resources }) => resources);
  return resources
    .filter((resource) => secretsOf(resource).length === 0)
    .map(({ definition, name, id }) => ({ type: typeToken(definition.token), name, id }));
}

function manifest(name: string) {
  return {
    name,
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.206.0", trustplane: `^${packageVersion()}` },
    devDependencies: { "@types/node": "^24.0.0", typescript: "^5.9.0" },
  };
}

/** Of a program that is no package of Node.js: it has the plugin. */
function packageOnly(name: string) {
  const { private: isPrivate, dependencies } = manifest(name);
  return { name, private: isPrivate, dependencies };
}

const COMPILER = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  files: ["index.ts"],
};

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
