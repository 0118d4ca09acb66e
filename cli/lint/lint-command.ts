import { ProviderError } from "../../provider/core/errors";
import { visibleText } from "../changes/visible-text";
import { readPreview } from "../comment/read-preview";
import { recordedStack } from "../drift/recorded-stack";
import { readExceptions } from "../exceptions/exceptions-file";
import { readDocument } from "../json-document";
import { sayNotLookedAt } from "../say-not-looked-at";
import type { Terminal } from "../terminal";
import { lintText } from "./finding-lines";
import { type LintResult, lint } from "./lint";
import type { LintFlags } from "./lint-flags";
import { lintInput } from "./linted-resources";
import { livePolicies } from "./live-policies";

/** Checks a preview or a state and prints the notes. Returns the exit code. */
export async function runLint(file: string, flags: LintFlags, terminal: Terminal): Promise<number> {
  try {
    const text = await readDocument(file, terminal.input);
    const { resources, before, notLookedAt } = lintInput(text);
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
