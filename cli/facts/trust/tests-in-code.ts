import { wantedRecords } from "../../stack/linted-resources";
import type { TrustReport } from "./report";
import { runTrustTests as run } from "./run-tests";
import { checkedTests, readTrustFile } from "./trust-file";
import type { TrustTests } from "./trust-tests";

// What `trustplane/trust-tests` is: their declarations are packed, and import no others.
export type { IdleBound, TestOutcome, TrustReport } from "./report";
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
} from "./trust-tests";

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
  return run(wantedRecords(stack), checked);
}
