import { ProviderError } from "../../../provider/core/errors";
import { readExceptions } from "../../facts/exceptions/exceptions-file";
import { isAtLeast, type LintResult, lint } from "../../facts/lint/lint";
import { say, sayNotLookedAt, type Terminal } from "../../io/terminal";
import { writeReport } from "../../io/write-report";
import { livePolicies } from "../../sources/live-policies";
import { stackIn } from "../../sources/read-stack";
import { type StackSource, stackSource } from "../../sources/stack-source";
import { desired, recordsOf } from "../../stack/desired-stack";
import { loginsNotLookedAt } from "../../stack/login-collections";
import type { Preview } from "../../stack/preview";
import { isState } from "../../stack/state";
import { lintText } from "../../views/finding-lines";
import { lintSarif } from "../../views/lint/lint-sarif";
import { COMMANDS } from "../options/commands";
import type { LintFlags } from "./lint-flags";

/** Checks a preview or a state and prints the notes. Returns the exit code. */
export async function runLint(flags: LintFlags, terminal: Terminal): Promise<number> {
  const { live: asksServers = false, ...named } = flags;
  if (flags.json && flags.sarif === true)
    throw new ProviderError("ConfigError", "only one report can go to the standard output; give --sarif a file.");
  const source = await stackSource(named, terminal, { ...COMMANDS.lint.input, configured: asksServers });
  const stack = stackIn(source);
  const wanted = desired(stack);
  const { resources, before } = wanted;
  const live = asksServers ? await liveIn(stack, { source, named: flags.connection }, terminal) : undefined;
  const unseen = [...wanted.notLookedAt, ...loginsNotLookedAt(recordsOf(wanted))];
  const notLookedAt = [...unseen, ...(live?.notCompared ?? []), ...(live?.notLookedAt ?? [])];
  sayNotLookedAt(notLookedAt, terminal);
  const result = lint(resources, {
    limits: { ttlSeconds: flags.maxTtl },
    exceptions: flags.ignore === undefined ? [] : readExceptions(flags.ignore).silence,
    policies: { before, ...(live ? { live: live.names } : {}) },
    today: new Date().toISOString().slice(0, 10),
  });
  if (typeof flags.sarif === "string") writeReport(flags.sarif, lintSarif(result, notLookedAt));
  if (flags.sarif === true) terminal.out(lintSarif(result, notLookedAt));
  else terminal.out(flags.json ? jsonText(result, notLookedAt) : lintText(result, resources.length));
  const { failOn } = flags;
  if (failOn !== "never" && result.findings.some((finding) => isAtLeast(finding, failOn))) return 2;
  // What was asked for by --live is no part of the answer.
  return live === undefined || live.notLookedAt.length === 0 ? 0 : 1;
}

interface Servers {
  readonly source: StackSource;
  readonly named: LintFlags["connection"];
}

async function liveIn(stack: Preview, { source, named = new Map() }: Servers, terminal: Terminal) {
  if (!isState(stack))
    throw new ProviderError(
      "InputError",
      "--live needs a state, which says where its servers are: pulumi stack export or terraform state pull.",
    );
  const trusted = { env: process.env, stack: source.configuration, named };
  return livePolicies(stack, { trusted, warn: (message) => say(message, terminal) });
}

function jsonText(result: LintResult, notLookedAt: readonly string[]): string {
  const unseen = notLookedAt.length === 0 ? {} : { notLookedAt };
  return `${JSON.stringify({ ...result, silenced: result.silenced.length, ...unseen }, undefined, 2)}\n`;
}
