import { realpathSync, statSync, writeFileSync } from "node:fs";
import { ProviderError } from "../../provider/core/errors";
import { replaceFile } from "./replace-file";

/**
 * Writes a report completely or not at all: the old file stays until the new one is complete, also when the disk is full.
 * A link stays a link, and a file keeps its mode. A pipe, or a path such as /dev/stdout, is written to directly.
 */
export function writeReport(path: string, text: string): void {
  try {
    const old = statSync(path, { throwIfNoEntry: false });
    if ((old && !old.isFile()) || path.startsWith("/dev/")) writeFileSync(path, text);
    else replaceFile(old ? realpathSync(path) : path, text, old && old.mode & 0o7777);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ProviderError("ConfigError", `the report cannot be written to ${path} (${code}).`);
  }
}
