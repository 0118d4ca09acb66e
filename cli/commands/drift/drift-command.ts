import { setFlagsFromString } from "node:v8";
import { ProviderError } from "../../../provider/core/errors";
import { beforeSignalEnds } from "../../../provider/engine/before-signal-ends";
import { detectDrift } from "../../facts/drift/detect";
import type { DriftReport } from "../../facts/drift/report";
import { ignoreList, readIgnoreFile } from "../../facts/exceptions/ignore-file";
import { progressOn } from "../../io/progress";
import { say, type Terminal } from "../../io/terminal";
import { writeReport } from "../../io/write-report";
import { enginesOf } from "../../sources/engines";
import { readState } from "../../sources/read-stack";
import { stackSource } from "../../sources/stack-source";
import { assertSomeOurs } from "../../stack/not-compared";
import { htmlReport } from "../../views/drift/html-report";
import { markdownReport } from "../../views/drift/markdown-report";
import { sarifReport } from "../../views/drift/sarif-report";
import { terminalReport } from "../../views/drift/terminal-report";
import { COMMANDS } from "../options/commands";
import type { DriftFlags } from "./drift-flags";

/** The exit code of each result. An error is never "no drift". */
const EXIT_CODES: Readonly<Record<DriftReport["result"], number>> = { none: 0, unknown: 1, drift: 2 };

/** The reports other than the table, by the name of their flag. */
const FORMATS = {
  json: (report: DriftReport) => `${JSON.stringify(report, undefined, 2)}\n`,
  markdown: markdownReport,
  sarif: sarifReport,
  html: htmlReport,
} satisfies Record<string, (report: DriftReport) => string>;

/** Compares a stack with its servers and writes the reports. Returns the exit code. */
export async function drift(flags: DriftFlags, terminal: Terminal): Promise<number> {
  const asked = formatsIn(flags);
  if (asked.filter(({ file }) => file === undefined).length > 1)
    throw new ProviderError("ConfigError", "only one report can go to the standard output; give the others a file.");
  const report = await reportOn(flags, terminal);
  for (const { file, text } of asked) {
    if (file === undefined) terminal.out(text(report));
    else writeReport(file, text(report));
  }
  if (asked.every(({ file }) => file !== undefined)) terminal.out(terminalReport(report, terminal));
  return EXIT_CODES[report.result];
}

async function reportOn(flags: DriftFlags, terminal: Terminal): Promise<DriftReport> {
  const now = new Date();
  const today = now.toISOString().slice(0, 10);
  const ignores = flags.ignore === undefined ? ignoreList([], today) : readIgnoreFile(flags.ignore, today);
  const { stack, cwd, decrypt = false, parallel, unmanaged, fixWith, connection: named = new Map() } = flags;
  const source = await stackSource(flags, terminal, { ...COMMANDS.drift.input, decrypt, configured: true });
  if (source.text.length > LARGE_STATE) setFlagsFromString("--optimize-for-size");
  const state = readState(source.text);
  assertSomeOurs("state", state.same.length, state.others, "compared");
  const isConfigured = [...state.providers.values()].some(({ values }) => Object.keys(values).length > 0);
  if (source.unread !== undefined && isConfigured) say(source.unread, terminal);
  if (state.lacks !== undefined) say(state.lacks, terminal);
  const { progress, clear } = progressOn(terminal, (done, all) => `compared ${done} of ${all} resources`);
  const warn = (message: string) => {
    clear();
    say(message, terminal);
  };
  const trusted = { env: process.env, stack: source.configuration, named };
  const { engineOf, end } = enginesOf(state, { trusted, warn });
  const giveUp = beforeSignalEnds(end);
  try {
    const remedy = fixWith && { by: fixWith, stack, cwd };
    return await detectDrift(state, { engineOf, parallel, ignores, unmanaged, now, remedy, progress });
  } finally {
    giveUp();
    await end();
    clear();
  }
}

function formatsIn(flags: DriftFlags) {
  return Object.entries(FORMATS).flatMap(([name, text]) => {
    // Each format has a flag of its name.
    const to = flags[name as keyof typeof FORMATS];
    return to === undefined ? [] : [{ text, file: to === true ? undefined : to }];
  });
}

/**
 * In characters: some thousands of resources. With a larger state V8 is told to save memory, because the garbage of all
 * the answers takes more than the state: 180 MB instead of 330 MB with 10,000 roles, in half a second more.
 */
const LARGE_STATE = 10_000_000;
