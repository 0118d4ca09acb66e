import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** The digests of the files in a folder as `sha256sum` writes them. A path has `/` between folders. */
export function sumsOf(folder: string, isCounted: (path: string) => boolean = () => true): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter(isCounted)
    .sort()
    .map((path) => `${digestOf(join(folder, path))}  ${path}\n`)
    .join("");
}

const digestOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
