import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProviderError } from "../../../provider/core/errors";

/** The files of a project by path, with `/` between folders. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** Why this folder cannot take a project; undefined where it can. */
export function folderProblem(folder: string): string | undefined {
  try {
    const [first] = readdirSync(folder);
    if (first === undefined) return undefined;
    return `the folder ${folder} is not empty (${first}). Name a new or empty folder with --out; nothing was read or written.`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT") return undefined;
    return `${folder} cannot be the output folder (${code}). Name a new or empty folder with --out; nothing was read or written.`;
  }
}

/** Writes the files; none of them may be there. */
export function writeProject(folder: string, files: ProjectFiles): void {
  try {
    for (const [path, text] of Object.entries(files)) {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text, { flag: "wx" });
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ProviderError("ConfigError", `the project cannot be written to ${folder} (${code}).`);
  }
}
