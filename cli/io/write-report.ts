import { closeSync, openSync, readSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { ProviderError } from "../../provider/core/errors";
import { replaceFile } from "./replace-file";

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
const STACK = /^\s*\{[\s\S]*"(deployment|checkpoint|lineage|terraform_version|steps|changeSummary)"\s*:/;

function holdsStack(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const beginning = Buffer.alloc(4096);
  try {
    const file = openSync(path, "r");
    readSync(file, beginning);
    closeSync(file);
  } catch {
    // What cannot be read may still be written.
  }
  return STACK.test(beginning.toString("utf8"));
}
