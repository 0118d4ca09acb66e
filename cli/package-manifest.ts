import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../provider/core/unknowns";

// The manifest is one folder up from the source and two from what is built into `dist/`.
export function packageVersion(): string {
  const file = [join(__dirname, "..", "package.json"), join(__dirname, "..", "..", "package.json")].find(existsSync);
  const manifest: unknown = file === undefined ? undefined : JSON.parse(readFileSync(file, "utf8"));
  return isRecord(manifest) ? String(manifest["version"] ?? "") : "";
}
