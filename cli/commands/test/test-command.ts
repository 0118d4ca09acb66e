import { runTrustTests } from "../../facts/trust/run-tests";
import { readTrustFile } from "../../facts/trust/trust-file";
import type { Terminal } from "../../io/terminal";
import { writeReport } from "../../io/write-report";
import { desiredTrust } from "../../sources/desired-trust";
import { junitText, testText } from "../../views/test-report";
import { COMMANDS } from "../options/commands";
import type { TestFlags } from "./test-flags";

/** Runs the tests of a file and prints their results. Returns the exit code. */
export async function runTest(path: string, flags: TestFlags, terminal: Terminal): Promise<number> {
  const tests = readTrustFile(path);
  const how = { ...COMMANDS.test.input, others: "entities" } as const;
  const { records, entities, notLookedAt } = await desiredTrust(flags, terminal, how);
  const result = await runTrustTests(records, tests, { entities });
  const unseen = [...notLookedAt, ...(result.notLookedAt ?? [])];
  const report = unseen.length === 0 ? result : { ...result, notLookedAt: unseen };
  if (flags.junit !== undefined) writeReport(flags.junit, junitText(report));
  terminal.out(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : testText(result));
  return report.result === "passed" ? 0 : 2;
}
