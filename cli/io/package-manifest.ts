import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../../provider/core/parse-json";
import { isRecord } from "../../provider/core/unknowns";

export function packageVersion(): string {
  const manifest = packagedJson("package.json");
  return isRecord(manifest) ? String(manifest["version"] ?? "") : "";
}

/** The content of a JSON file of this package; undefined where there is none. */
export function packagedJson(...path: readonly string[]): unknown {
  const file = join(packageFolder(), ...path);
  return existsSync(file) ? parseJson(readFileSync(file, "utf8")) : undefined;
}

/** Where package.json is: two folders up from the source, and three from what is built into `dist/`. */
export function packageFolder(): string {
  const folders = [join(__dirname, "..", ".."), join(__dirname, "..", "..", "..")];
  return folders.find((folder) => existsSync(join(folder, "package.json"))) ?? __dirname;
}
