import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../provider/core/parse-json";
import { isRecord } from "../provider/core/unknowns";

export function packageVersion(): string {
  const manifest = packagedJson("package.json");
  return isRecord(manifest) ? String(manifest["version"] ?? "") : "";
}

/** The content of a JSON file of this package; undefined where there is none. */
export function packagedJson(...path: readonly string[]): unknown {
  // The package is one folder up from the source and two from what is built into `dist/`.
  const files = [join(__dirname, "..", ...path), join(__dirname, "..", "..", ...path)];
  const file = files.find((each) => existsSync(each));
  return file === undefined ? undefined : parseJson(readFileSync(file, "utf8"));
}
