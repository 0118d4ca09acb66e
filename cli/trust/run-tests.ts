import type { JudgedRecord } from "../lint/judged-records";
import { idleBounds } from "./bounds";
import { cloudRoleProblems } from "./cloud-role-tests";
import { mayTouch } from "./hidden-records";
import { problemsOf } from "./judge";
import { peerProblems } from "./peer-tests";
import type { TestOutcome, TrustReport } from "./report";
import { counterexample } from "./search";
import { type LoginTest, loginsOf, type TrustFile, type TrustTest } from "./trust-file";
import { type Attempt, logIn, reasonsAgainst } from "./trust-login";
import { createTrustWorld, type TrustWorld } from "./trust-world";
import type { Twin } from "./twin";

/** Runs trust tests against what a stack wants. Each login really happens, on an embedded server in this process. */
export async function runTrustTests(
  records: readonly JudgedRecord[],
  { policies, tests }: TrustFile,
  twin?: Twin,
): Promise<TrustReport> {
  const world = await createTrustWorld(records, policies, twin);
  const attempts: Attempt[] = [];
  const refused: Attempt[] = [];
  const outcomes: TestOutcome[] = [];
  for (const test of tests) {
    const problems = await problemsIn(test);
    outcomes.push({ name: test.name, passed: problems.length === 0, problems });
  }
  const untested = await idleBounds(world, attempts, refused);
  return { result: outcomes.every(({ passed }) => passed) ? "passed" : "failed", tests: outcomes, untested };

  async function problemsIn(test: TrustTest): Promise<string[]> {
    if ("never" in test) return neverProblems(world, test);
    if ("cloudRole" in test) return cloudRoleProblems(world, records, test);
    return "peer" in test ? peerProblems(records, test) : loginProblems(test);
  }

  async function loginProblems({ login, expect }: LoginTest): Promise<string[]> {
    const unjudged = reasonsAgainst(world, login.mount, login.role);
    if (unjudged.length > 0) return [...unjudged];
    const all = loginsOf(login);
    const found: string[] = [];
    for (const claims of all) {
      const attempt = { ...login, claims };
      const result = await logIn(world, attempt);
      attempts.push(attempt);
      if ("refused" in result) refused.push(attempt);
      const where = all.length === 1 ? "" : ` (${JSON.stringify(claims)})`;
      found.push(...(await problemsOf(world, result, expect)).map((problem) => `${problem}${where}`));
    }
    return found;
  }
}

async function neverProblems(world: TrustWorld, { never }: Extract<TrustTest, { never: unknown }>): Promise<string[]> {
  const unjudged = world.hidden.filter((record) => mayTouch(record, never.mount, undefined));
  if (unjudged.length > 0) return unjudged.map(({ reason }) => reason);
  if (!world.roles.some(({ mount }) => mount === never.mount)) return [`the stack has no role at auth/${never.mount}`];
  const found = await counterexample(world, never);
  return found === undefined ? [] : [found];
}
