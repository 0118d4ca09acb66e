import { visibleText } from "../changes/visible-text";
import { readExceptions } from "../exceptions/exceptions-file";
import { readText } from "../read-text";
import type { Terminal } from "../terminal";
import { lintText } from "./finding-lines";
import { type LintResult, lint } from "./lint";
import type { LintFlags } from "./lint-flags";
import { lintInput } from "./linted-resources";

/** Checks a preview or a state and prints the notes. Returns the exit code. */
export async function runLint(file: string, flags: LintFlags, terminal: Terminal): Promise<number> {
  try {
    const { resources, before } = lintInput(await readText(file, terminal.input));
    const result = lint(resources, {
      limits: { ttlSeconds: flags.maxTtl },
      exceptions: flags.ignore === undefined ? [] : readExceptions(flags.ignore).silence,
      policies: { before },
      today: new Date().toISOString().slice(0, 10),
    });
    terminal.out(flags.json ? jsonText(result) : lintText(result, resources.length));
    return result.findings.length === 0 ? 0 : 2;
  } catch (error) {
    terminal.err(`trustplane: ${visibleText(error instanceof Error ? error.message : String(error))}\n`);
    return 1;
  }
}

function jsonText(result: LintResult): string {
  return `${JSON.stringify(result, undefined, 2)}\n`;
}
