import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";

type Files = Readonly<Record<string, string>>;

/** The folders that hold what Pulumi's generators write, and nothing else, by the generator's name of the language. */
export const languages = { go: "sdk/go/trustplane", python: "sdk/python" } as const;

export type LanguageName = keyof typeof languages;

/** The SDK of a language as Pulumi's generator writes it now: path in the repository to content. */
export function generatedSdk(program: string, language: LanguageName): Promise<Files> {
  return withScratchFolder(tmpdir(), async (scratch) => {
    await runTool(program, ["generate", language, join(repository, "schema/schema.json"), scratch]);
    const files = filesIn(scratch).map((path) => [path, readFileSync(join(scratch, path), "utf8")] as const);
    return Object.fromEntries(files.map(([path, content]) => [`${languages[language]}/${path}`, content]));
  });
}

/** What lies in the folder of a language now. */
export function committedSdk(language: LanguageName): Files {
  const folder = languages[language];
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
