import { ProviderError } from "../../../provider/core/errors";
import { readExceptions } from "../../facts/exceptions/exceptions-file";
import { type LintResult, lint } from "../../facts/lint/lint";
import { readDocument } from "../../io/json-document";
import { sayNotLookedAt, type Terminal } from "../../io/terminal";
import { livePolicies } from "../../sources/live-policies";
import { readPreview, readStack, recordedStack } from "../../sources/read-stack";
import { visibleText } from "../../text/visible-text";
import { lintText } from "../../views/finding-lines";
import type { LintFlags } from "./lint-flags";

/** Checks a preview or a state and prints the notes. Returns the exit code. */
export async function runLint(file: string, flags: LintFlags, terminal: Terminal): Promise<number> {
  try {
    const text = await readDocument(file, terminal.input);
    const { resources, before, notLookedAt } = readStack(text);
    sayNotLookedAt(notLookedAt, terminal);
    const live = flags.live ? await liveIn(text, flags, terminal) : undefined;
    const result = lint(resources, {
      limits: { ttlSeconds: flags.maxTtl },
      exceptions: flags.ignore === undefined ? [] : readExceptions(flags.ignore).silence,
      policies: { before, ...(live ? { live } : {}) },
      today: new Date().toISOString().slice(0, 10),
    });
    terminal.out(flags.json ? jsonText(result, notLookedAt) : lintText(result, resources.length));
    return result.findings.length === 0 ? 0 : 2;
  } catch (error) {
    terminal.err(`trustplane: ${visibleText(error instanceof Error ? error.message : String(error))}\n`);
    return 1;
  }
}

async function liveIn(text: string, { connection: named = new Map() }: LintFlags, terminal: Terminal) {
  if (readPreview(text) !== undefined)
    throw new ProviderError(
      "InputError",
      "--live needs a state, which says where its servers are: pulumi stack export or terraform state pull.",
    );
  const warn = (message: string) => terminal.err(`trustplane: ${visibleText(message)}\n`);
  return livePolicies(recordedStack(text), { trusted: { env: process.env, stack: undefined, named }, warn });
}

function jsonText(result: LintResult, notLookedAt: readonly string[]): string {
  const unseen = notLookedAt.length === 0 ? {} : { notLookedAt };
  return `${JSON.stringify({ ...result, ...unseen }, undefined, 2)}\n`;
}
