import type { TestOutcome, TrustReport } from "../../facts/trust/report";
import { runTrustTests } from "../../facts/trust/run-tests";
import { readTrustFile, type TrustFile } from "../../facts/trust/trust-file";
import { desiredRecords } from "../../stack/desired-stack";
import type { Preview } from "../../stack/preview";
import { codeSpan } from "../../text/markdown";
import { shortLine } from "../../text/visible-text";
import type { Section } from "./fitted";
import { nameSpan } from "./step-blocks";

/** What became of the trust tests of a preview. */
export interface TrustTestRun {
  /** That of `trustplane test`. */
  readonly code: 0 | 1 | 2;
  readonly section: Section;
  /** For the output of the job: why the code is not 0. */
  readonly reason?: string;
}

/** Runs the tests of a file against what a preview wants. A comment is written in any case, so nothing is thrown. */
export async function trustTestsOf(preview: Preview, file: string): Promise<TrustTestRun> {
  let tests: TrustFile;
  try {
    tests = readTrustFile(file);
  } catch (error) {
    // The reason may quote the file. A pull request can make it a link to any other file, so only the job shows it.
    return notRun("the file of tests cannot be read. The output of the job says why", messageOf(error));
  }
  try {
    return ran(await runTrustTests(desiredRecords(preview), tests));
  } catch (error) {
    return notRun(codeSpan(shortLine(messageOf(error), LONGEST_PROBLEM)), messageOf(error));
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function notRun(because: string, reason: string): TrustTestRun {
  const lines = [`**The trust tests could not run**: ${because.replace(/\.$/, "")}.`];
  return { code: 1, section: { lines, ...LIMITS }, reason: `the trust tests could not run: ${reason}` };
}

function ran({ tests, notLookedAt = [] }: TrustReport): TrustTestRun {
  const failed = tests.filter(({ passed }) => !passed);
  const count = `${tests.length} ${tests.length === 1 ? "test" : "tests"}`;
  const end = notLookedAt.length === 0 ? {} : { end: `What no test could see: ${spansOf(notLookedAt)}.` };
  const limits = { ...LIMITS, ...end };
  if (failed.length === 0) return { code: 0, section: { lines: [`**Trust tests**: ${count} passed.`], ...limits } };
  const title = `**Trust tests**: ${failed.length} of ${count} failed`;
  return {
    code: 2,
    section: { title, lines: failed.map(lineOf), ...limits },
    reason: `${failed.length} of ${count} of trust failed.`,
  };
}

/** Longer problems are cut; `trustplane test` shows them whole. */
const LONGEST_PROBLEM = 300;
const MOST_PROBLEMS = 3;

const LIMITS: Pick<Section, "most" | "gap" | "rest"> = {
  most: 30,
  gap: "\n",
  rest: (missing) => `* ${missing} more failed: \`trustplane test\` shows them all.`,
};

function lineOf({ name, problems }: TestOutcome): string {
  return `* ${nameSpan(name)}: ${spansOf(problems)}`;
}

function spansOf(sentences: readonly string[]): string {
  const shown = sentences.slice(0, MOST_PROBLEMS).map((sentence) => codeSpan(shortLine(sentence, LONGEST_PROBLEM)));
  const rest = sentences.length - shown.length;
  return `${shown.join("; ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
