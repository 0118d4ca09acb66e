import { compareBytes } from "../framework/go-format";

/**
 * Names in the order in which Vault's storage answers them: it goes through the folders that slashes make, the last one
 * that it has seen first.
 */
export function scannedNames(names: readonly string[]): readonly string[] {
  const folders = [""];
  const found: string[] = [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const here = names.filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
    const parts = new Set(here.map((rest) => /^[^/]*\/?/.exec(rest)?.[0] ?? rest));
    for (const part of [...parts].sort(compareBytes)) (part.endsWith("/") ? folders : found).push(folder + part);
  }
  return found;
}
