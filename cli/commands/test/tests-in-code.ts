import type { TrustReport } from "../../facts/trust/report";
import { runTrustTests as run } from "../../facts/trust/run-tests";
import { checkedTests, readTrustFile } from "../../facts/trust/trust-file";
import type { TrustTests } from "../../facts/trust/trust-tests";
import { readStack } from "../../sources/read-stack";
import { assertWhole, recordsOf } from "../../stack/desired-stack";

// What `trustplane/trust-tests` is: their declarations are packed, and import no others.
export type { IdleBound, TestOutcome, TrustReport } from "../../facts/trust/report";
export type {
  CloudRoleForm,
  CloudRoleTestForm,
  GrantedForm,
  HandedOutForm,
  LoginForm,
  LoginTestForm,
  NeverForm,
  NeverTestForm,
  PeerForm,
  PeerTestForm,
  ReachedForm,
  TrustTests,
} from "../../facts/trust/trust-tests";

/**
 * Runs trust tests, as `trustplane test` does: each login happens on an embedded server in this process, and no other server
 * is asked.
 *
 * @param stack What `pulumi stack export` or `pulumi preview --json --show-sames` wrote.
 * @param tests The tests, or the path of a file that has them, such as `trust.yml`.
 * @throws Error when the stack or the tests cannot be read, or when a record of the stack cannot be tested.
 * @example
 * ```ts
 * import { execFileSync } from "node:child_process";
 * import { runTrustTests } from "trustplane/trust-tests";
 *
 * const preview = execFileSync("pulumi", ["preview", "--json", "--show-sames"], { encoding: "utf8" });
 * export const report = runTrustTests(preview, "trust.yml");
 * ```
 */
export async function runTrustTests(stack: string, tests: TrustTests | string): Promise<TrustReport> {
  const checked = typeof tests === "string" ? readTrustFile(tests) : checkedTests(tests, "the trust tests");
  const desired = readStack(stack);
  assertWhole(desired);
  return run(recordsOf(desired), checked);
}
