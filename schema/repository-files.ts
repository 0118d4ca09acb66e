import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatted } from "./formatted";
import { generatedFiles, generatedFolders, isGenerated } from "./generated-files";

/** A file that is not as it would be generated now; without `content` it should not be there. */
export interface StaleFile {
  readonly path: string;
  readonly content?: string;
}

/** Every generated file as the definitions of the repository have it: path to content. */
export function wantedFiles(repository: string): Readonly<Record<string, string>> {
  return formatted(generatedFiles(repository), repository);
}

/** The files of the repository that differ from the wanted ones, by path. */
export function staleFiles(repository: string, wanted: Readonly<Record<string, string>>): readonly StaleFile[] {
  const present = (path: string) => {
    const file = join(repository, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  const outdated = Object.entries(wanted).filter(([path, content]) => present(path) !== content);
  const leftOver = generatedFolders
    .flatMap((folder) => filesUnder(repository, folder))
    .filter((path) => !(path in wanted) && isGenerated(present(path) ?? ""));
  const stale = [...outdated.map(([path, content]) => ({ path, content })), ...leftOver.map((path) => ({ path }))];
  return stale.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Brings the files up to date. */
export function refreshFiles(repository: string, files: readonly StaleFile[]): void {
  for (const { path, content } of files) {
    const file = join(repository, path);
    mkdirSync(dirname(file), { recursive: true });
    if (content === undefined) rmSync(file);
    else writeFileSync(file, content);
  }
}

function filesUnder(repository: string, folder: string): string[] {
  if (!existsSync(join(repository, folder))) return [];
  return readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|md)$/.test(path))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`);
}
