import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { ProviderError } from "../../provider/core/errors";

/**
 * Writes a report completely or not at all: the old file stays until the new one is complete, also when the disk is full.
 * A link stays a link, and a file keeps its mode. A pipe, or a path such as /dev/stdout, is written to directly.
 *
 * @throws ConfigError where it cannot be written, and for a file with a stack: `map --html stack.json` names it as the report.
 */
export function writeReport(path: string, text: string): void {
  if (holdsStack(path))
    throw new ProviderError(
      "ConfigError",
      `the report is not written to ${path}, which has a state or a preview: a file to look at stands before the flags.`,
    );
  try {
    const old = statSync(path, { throwIfNoEntry: false });
    if ((old && !old.isFile()) || path.startsWith("/dev/")) writeFileSync(path, text);
    else replaceFile(old ? realpathSync(path) : path, text, old && old.mode & 0o7777);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ProviderError("ConfigError", `the report cannot be written to ${path} (${code}).`);
  }
}

/** Near the beginning of what the tools write; no report of ours has such a member. */
const STACK = /^\s*\{[\s\S]*"(deployment|checkpoint|lineage|terraform_version|steps|changeSummary|sequence)"\s*:/;

function holdsStack(path: string): boolean {
  const beginning = Buffer.alloc(4096);
  try {
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, "r");
    readSync(file, beginning);
    closeSync(file);
  } catch {
    // What is not there, or cannot be read, may still be written.
  }
  const text = beginning.toString("utf8");
  return STACK.test(text) && !/^\s*\{\s*"format"\s*:\s*"trustplane-/.test(text);
}

/** Writes a file completely or not at all. Without a mode a new file has the one that the process gives. */
export function replaceFile(target: string, text: string, mode: number | undefined): void {
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
