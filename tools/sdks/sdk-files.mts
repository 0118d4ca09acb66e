import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";

type Files = Readonly<Record<string, string>>;

/** A language whose SDK Pulumi's generator writes, and what of it is kept where. */
interface Language {
  /** The folder that holds generated files only. */
  readonly folder: string;
  /** The path in that folder, and the content, of a file that the generator wrote; undefined leaves it out. */
  place(path: string, content: string): Files;
}

const everything: Language["place"] = (path, content) => ({ [path]: content });

/** By the name that the generator's program knows. */
export const languages = {
  go: { folder: "sdk/go/trustplane", place: everything },
  // The project names a README that the generator puts a folder deeper.
  python: {
    folder: "sdk/python",
    place: (path, content) =>
      path === "trustplane/README.md" ? { [path]: content, "README.md": content } : { [path]: content },
  },
  nodejs: { folder: "sdk/nodejs", place: (path, content) => (path.endsWith(".ts") ? { [path]: asOurs(content) } : {}) },
} as const satisfies Record<string, Language>;

export type LanguageName = keyof typeof languages;

/** The SDK of a language as Pulumi's generator writes it now: path in the repository to content. */
export function generatedSdk(program: string, language: LanguageName): Promise<Files> {
  const { folder, place }: Language = languages[language];
  return withScratchFolder(tmpdir(), async (scratch) => {
    await runTool(program, ["generate", language, join(repository, "schema/schema.json"), scratch]);
    const files = filesIn(scratch).map((path) => place(path, readFileSync(join(scratch, path), "utf8")));
    const all = Object.entries(Object.assign({}, ...files) as Files);
    return Object.fromEntries(all.map(([path, content]) => [`${folder}/${path}`, content]));
  });
}

/** What lies in the folder of a language now. */
export function committedSdk(language: LanguageName): Files {
  const { folder } = languages[language];
  // What Python leaves beside a module that was imported.
  const paths = filesIn(join(repository, folder)).filter((path) => !path.includes("__pycache__"));
  return Object.fromEntries(
    paths.map((path) => [`${folder}/${path}`, readFileSync(join(repository, folder, path), "utf8")]),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/**
 * Part of this package, which has one `package.json` and one compiler: that one is stricter than the generator's, and wants
 * to be told that what is exported again are types, or it would load every file at once.
 */
function asOurs(content: string): string {
  return `// @ts-nocheck\n${content}`
    .replaceAll(/^export \{ (?=[^}]*\} from ")/gm, "export type { ")
    .replaceAll("require('./package.json')", 'require("trustplane/package.json")');
}
