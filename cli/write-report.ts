import { randomBytes } from "node:crypto";
import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { ProviderError } from "../provider/core/errors";

/**
 * Writes a report completely or not at all: the old file stays until the new one is complete, also when the disk is full.
 * A link stays a link, and a file keeps its mode. A pipe, or a path such as /dev/stdout, is written to directly.
 */
export function writeReport(path: string, text: string): void {
  try {
    const old = statSync(path, { throwIfNoEntry: false });
    if ((old && !old.isFile()) || path.startsWith("/dev/")) writeFileSync(path, text);
    else replace(old ? realpathSync(path) : path, text, old && old.mode & 0o7777);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ProviderError("ConfigError", `the report cannot be written to ${path} (${code}).`);
  }
}

function replace(target: string, text: string, mode: number | undefined): void {
  // In the same folder: a file cannot be renamed into another file system.
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", flush: true, mode: mode ?? 0o666 });
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
