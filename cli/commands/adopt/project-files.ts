import { NATIVE_CLASSES, PACKAGE_NAME } from "../../../provider/core/package-name";
import { typeToken } from "../../../provider/core/type-token";
import { packageRange } from "../../io/package-origin";
import { ADOPTED, ADOPTED_IN } from "./adopted-options";
import { goFiles } from "./go";
import { hclFiles } from "./hcl";
import { hclReadme } from "./hcl-readme";
import { slug } from "./names";
import type { ProjectFiles } from "./output-folder";
import { marked, type Program, secretsOf } from "./program";
import type { ProjectOptions } from "./project-options";
import { pythonMain, pythonModules, snakeCase } from "./python";
import { readme } from "./readme";
import { typeScriptFile, typeScriptIndex } from "./typescript";
import { yamlProgram } from "./yaml";
import { yamlLines } from "./yaml-text";

/** The files of a project with this program. */
export function projectFiles(program: Program, options: ProjectOptions): ProjectFiles {
  const { classes, language } = options;
  if (language === "hcl") return hclProject(program, options);
  const project = slug(options.project).toLowerCase();
  const imports = classes === "plugin" ? importFile(program) : {};
  const isImported = "import.json" in imports;
  const isTypeScript = language === "typescript";
  return {
    ".gitignore": language === "python" ? "node_modules/\nvenv/\n__pycache__/\n" : "node_modules/\n",
    "Pulumi.yaml": projectFile(program, project, { ...options, language }),
    "README.md": readme(program, { ...options, language, project, isImported }),
    "package.json": json(isTypeScript ? manifest(project) : packageOnly(project)),
    ...sourceFiles(program, { ...options, project }),
    ...imports,
  };
}

function hclProject(program: Program, options: ProjectOptions): ProjectFiles {
  const project = slug(options.project).toLowerCase();
  return {
    ".gitignore": "node_modules/\n.terraform/\n*.tfstate\n*.tfstate.*\n",
    "README.md": hclReadme(program, { ...options, project }),
    "package.json": json(packageOnly(project)),
    "terraform.rc": TERRAFORM_SETTINGS,
    "versions.tf": VERSIONS,
    ...hclFiles(program, options),
  };
}

/** Where the CLI finds the provider: in the installed package. */
const TERRAFORM_SETTINGS = `provider_installation {
  dev_overrides {
    "trustplane/trustplane" = "node_modules/trustplane/bin"
  }
  direct {}
}
`;

const VERSIONS = `terraform {
  required_version = ">= 1.11.0"
  required_providers {
    trustplane = { source = "trustplane/trustplane" }
  }
}
`;

const RUNTIMES = {
  typescript: "nodejs",
  yaml: "yaml",
  python: { name: "python", options: { virtualenv: "venv" } },
  go: "go",
} as const;

/** The code, and what its language needs. */
export function sourceFiles(program: Program, options: ProjectOptions): ProjectFiles {
  switch (options.language) {
    case "typescript":
      return typeScriptFiles(program, options);
    case "python":
      return pythonFiles(program, options);
    case "go":
      return {
        "go.mod": `module ${options.project}\n\ngo 1.26\n`,
        ...goFiles(program.files, { ...options, adopted: adoptedIn(program) }),
      };
    case "yaml":
      return {};
    case "hcl":
      return hclFiles(program, options);
  }
}

/** The file with the options that all have. */
function adoptedIn({ mark }: Program): string {
  return marked(ADOPTED, mark);
}

function typeScriptFiles(program: Program, { classes, fold }: ProjectOptions): ProjectFiles {
  const { files } = program;
  const adopted = adoptedIn(program);
  const library = classes === "plugin" ? NATIVE_CLASSES : PACKAGE_NAME;
  const sources = files.map((file) => [`${file.name}.ts`, typeScriptFile(file, { library, fold, adopted })] as const);
  return {
    "index.ts": typeScriptIndex(files),
    "tsconfig.json": json(COMPILER),
    ...Object.fromEntries(sources),
    [`${adopted}.ts`]: ADOPTED_IN.typescript,
  };
}

/** The modules are in a package: by themselves, some would hide one of Python's own. */
function pythonFiles(program: Program, options: ProjectOptions): ProjectFiles {
  const adopted = adoptedIn(program);
  const modules = pythonModules(program.files, { ...options, adopted });
  const sources = Object.entries(modules).map(([name, text]) => [`resources/${name}.py`, text] as const);
  return {
    "__main__.py": pythonMain(Object.keys(modules)),
    "requirements.txt": "pulumi>=3.165.0,<4.0.0\n",
    "resources/__init__.py": "",
    ...Object.fromEntries(sources),
    [`resources/${snakeCase(adopted)}.py`]: ADOPTED_IN.python,
  };
}

interface ProjectFileOptions extends Pick<ProjectOptions, "classes"> {
  readonly language: keyof typeof RUNTIMES;
}

function projectFile(program: Program, name: string, { classes, language }: ProjectFileOptions): string {
  const head = `${yamlLines({ name, runtime: RUNTIMES[language] }).join("\n")}\n`;
  return head + (classes === "plugin" ? PLUGIN : "") + (language === "yaml" ? yamlProgram(program) : "");
}

const PLUGIN = `plugins:
  providers:
    - name: trustplane
      path: node_modules/trustplane/bin
`;

/** The records whose values are all known, for `pulumi import`: a preview afterwards shows no change. */
export function importFile({ files, mark }: Program): ProjectFiles {
  const resources = files
    .flatMap((file) => file.resources)
    .filter((resource) => secretsOf(resource).length === 0)
    .map(({ definition, name, id }) => ({ type: typeToken(definition.token), name, id }));
  return resources.length > 0 ? { [`${marked("import", mark)}.json`]: json({ resources }) } : {};
}

function manifest(name: string) {
  return {
    name,
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.206.0", [PACKAGE_NAME]: packageRange() },
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
