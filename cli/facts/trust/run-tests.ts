import { definitions } from "../../../provider/resources";
import { entitiesAt } from "../../stack/entities";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { alike } from "../../text/lists";
import { idleBounds } from "./bounds";
import { untoldClaims } from "./browser-login";
import { cloudRoleProblems } from "./cloud-role-tests";
import { mayTouch } from "./hidden-records";
import { problemsOf } from "./judge";
import { peerProblems } from "./peer-tests";
import type { IdleBound, TestOutcome, TrustReport } from "./report";
import { counterexample } from "./search";
import { filledNames, listOf } from "./sentences";
import { mayBecome } from "./templated-rules";
import { missingPlace, placeOfTest, recordsAt, serversOf, type TestPlace } from "./test-places";
import { type LoginTest, loginsOf, type NeverTest, type TrustFile, type TrustTest } from "./trust-file";
import { type Attempt, logIn, missingRole, reasonsAgainst, roleAt, unclearAround, unseenMethod } from "./trust-login";
import { createTrustWorld, type TrustRole, type TrustWorld, untoldPolicies, type WorldOptions } from "./trust-world";
import { missingGroup, unclearBeside, unclearText } from "./unclear-groups";
import { asServerNames } from "./vault-names";

/** Runs trust tests against what a stack wants. Each login really happens, on an embedded server in this process. */
export async function runTrustTests(
  given: readonly EvaluatedRecord[],
  { policies, tests }: TrustFile,
  options?: WorldOptions,
): Promise<TrustReport> {
  const records = given.map(asServerNames);
  const isLive = options?.entities !== undefined;
  const whole: Played = {
    world: await createTrustWorld(records, policies, options),
    records,
    attempts: [],
    refused: [],
    unseen: new Set(),
  };
  const places = new Map<string, Played>();
  const outcomes: TestOutcome[] = [];
  for (const test of tests) {
    const problems = await problemsIn(test);
    outcomes.push({ name: test.name, passed: problems.length === 0, problems });
  }
  const idle: IdleBound[] = [];
  for (const { world, attempts, refused } of [whole, ...places.values()])
    idle.push(...(await idleBounds(world, attempts, refused)));
  const untested = alike(idle, ({ mount, role, bound }) => [mount, role, bound]).map(([first]) => first);
  const result = outcomes.every(({ passed }) => passed) ? "passed" : "failed";
  const notLookedAt = [...new Set([whole, ...places.values()].flatMap(({ unseen }) => [...unseen]))];
  return { result, tests: outcomes, untested, ...(notLookedAt.length === 0 ? {} : { notLookedAt }) };

  async function problemsIn(test: TrustTest): Promise<readonly string[]> {
    const meant =
      "never" in test ? test.never : "cloudRole" in test ? test.cloudRole : "peer" in test ? test.peer : test.login;
    const missing = missingPlace(records, meant);
    if (missing !== undefined) return [missing];
    if (isLive && meant.connection === undefined && ("login" in test || "never" in test)) {
      const servers = serversOf(records, "login" in test ? test.login : test.never);
      if (servers.length > 1) return problemsOnEach(test, servers);
    }
    const played = await playedAt("mount" in meant ? placeOfTest(records, meant, isLive) : meant);
    if ("never" in test && !isLive) played.unseen.add(ENTITIES);
    if ("never" in test) return neverProblems(played, test);
    if ("cloudRole" in test) return cloudRoleProblems(played.world, played.records, test);
    return "peer" in test ? peerProblems(played.records, test) : loginProblems(played, test);
  }

  /** Servers share nothing: what is said of several must hold on each, and where they differ a test says which it means. */
  async function problemsOnEach(test: LoginTest | NeverTest, servers: readonly string[]): Promise<readonly string[]> {
    const { mount, role } = "login" in test ? test.login : { ...test.never, role: undefined };
    const differing = whole.world.hidden.filter((record) => mayTouch(record, mount, role)).map(({ reason }) => reason);
    if (differing.length > 0) return differing;
    const found: string[] = [];
    for (const connection of servers) {
      const problems = await problemsIn(
        "login" in test
          ? { ...test, login: { ...test.login, connection } }
          : { ...test, never: { ...test.never, connection } },
      );
      found.push(...problems.map((problem) => `${problem} (connection ${JSON.stringify(connection)})`));
    }
    return found;
  }

  /** The world of the records that a test means: that of all, unless the stack has other ones, too. */
  async function playedAt({ connection, namespace }: TestPlace): Promise<Played> {
    const own = recordsAt(records, { connection, namespace });
    if (own.length === records.length) return whole;
    const key = JSON.stringify([connection, namespace]);
    const known = places.get(key);
    if (known !== undefined) return known;
    const around = recordsAt(records, { connection });
    const entities = options?.entities && entitiesAt(options.entities, connection);
    const world = await createTrustWorld(own, policies, { ...options, entities, around });
    const played = { world, records: own, attempts: [], refused: [], unseen: new Set<string>() };
    places.set(key, played);
    return played;
  }
}

/** What gives policies beside roles and groups, whatever the stack says: a test of `never` is about it. */
const ENTITIES =
  "not looked at: policies of entities, and a `default` policy that was changed on the server alone; --live reads them";

/** A server of its own in this process, and what tests tried on it. */
interface Played {
  readonly world: TrustWorld;
  readonly records: readonly EvaluatedRecord[];
  readonly attempts: Attempt[];
  readonly refused: Attempt[];
  /** What no test could see, in sentences. */
  readonly unseen: Set<string>;
}

async function loginProblems(
  { world, attempts, refused, unseen }: Played,
  { login, expect }: LoginTest,
): Promise<string[]> {
  const unchecked = reasonsAgainst(world, login.mount, login.role);
  if (unchecked.length > 0) return [...unchecked];
  const role = roleAt(world, login.mount, login.role);
  const around = unclearAround(world, role === undefined ? [] : [role]);
  const missing =
    missingRole(world, login.mount, login.role) ??
    ambiguousList(world, login) ??
    role?.untoldDemand ??
    untoldClaims(login.claims, role?.browser) ??
    untoldIssuer(world, role, login.claims) ??
    missingGroup(around, login.notIn);
  if (missing !== undefined) return [missing];
  const beside = unclearBeside(around, login.notIn);
  const untold = untoldPolicies(filledNames(role?.values ?? {}));
  const all = loginsOf(login);
  const found: string[] = [];
  for (const claims of all) {
    const attempt = { ...login, claims };
    const result = await logIn(world, attempt);
    attempts.push(attempt);
    if ("refused" in result) refused.push(attempt);
    else if (role !== undefined) addUnseen(unseen, world, role);
    const where = all.length === 1 ? "" : ` (${JSON.stringify(claims)})`;
    found.push(...(await problemsOf(world, result, { expect, beside, untold })).map((problem) => `${problem}${where}`));
  }
  return found;
}

/** An issuer that a test names may be another one than that of the server. A test that names none has the right one. */
function untoldIssuer(world: TrustWorld, role: TrustRole | undefined, claims: LoginTest["login"]["claims"]) {
  const unseen = role && "iss" in claims ? unseenMethod(world, role) : undefined;
  return unseen && `it cannot be told what iss must be: ${unseen}`;
}

/** Of a login that the stack alone lets in: the server may know no such issuer. That is said, and no failure: many stacks have roles, and leave the method to another one. */
function addUnseen(unseen: Set<string>, world: TrustWorld, role: TrustRole): void {
  const method = unseenMethod(world, role);
  if (method !== undefined) unseen.add(`not looked at: issuers and keys of logins: ${method}`);
}

/** Claims whose value is a list by their nature, where one list in brackets could mean both. */
function ambiguousList(world: TrustWorld, { mount, role, claims }: LoginTest["login"]): string | undefined {
  const listed = ["aud", roleAt(world, mount, role)?.values["groupsClaim"]];
  const name = Object.keys(claims).find((claim) => {
    const value = claims[claim];
    return listed.includes(claim) && Array.isArray(value) && !value.some(Array.isArray);
  });
  if (name === undefined) return undefined;
  const values = (claims[name] as readonly unknown[]).map((value) => JSON.stringify(value));
  return `${name} may be one list or one login for each value: write [[${values.join(", ")}]] for the list, [${values.map((value) => `[${value}]`).join(", ")}] for the logins`;
}

async function neverProblems({ world, records, unseen }: Played, { never }: NeverTest): Promise<string[]> {
  const unchecked = world.hidden.filter((record) => mayTouch(record, never.mount, undefined));
  if (unchecked.length > 0) return unchecked.map(({ reason }) => reason);
  const roles = world.roles.filter(({ mount }) => mount === never.mount);
  if (roles.length === 0) return [`the stack has no role at auth/${never.mount}`];
  if (!isKnownPolicy(world, records, never.policy)) return [`the stack has no policy ${never.policy}`];
  const around = unclearAround(world, roles);
  const missing = missingGroup(around, never.notIn);
  if (missing !== undefined) return [missing];
  for (const role of roles) addUnseen(unseen, world, role);
  const found = await counterexample(world, never);
  if (found !== undefined) return [found];
  const { mount, policy, notIn } = never;
  return unclearBeside(around, notIn)
    .filter(({ policies }) => policies?.includes(policy) ?? true)
    .map((group) => unclearText(`a login at auth/${mount} gets policy ${policy}`, group));
}

/** Also one whose text the stack does not have, and that something of the stack gives. */
function isKnownPolicy(world: TrustWorld, records: readonly EvaluatedRecord[], policy: string): boolean {
  if (["default", "root"].includes(policy) || world.policies.has(policy)) return true;
  if (world.roles.some(({ values }) => filledNames(values).some((name) => mayBecome(name, policy)))) return true;
  return records.some(({ definition: { token }, values: { name, tokenPolicies, policies } }) => {
    if (token === definitions.sysPolicy.token) return name === policy;
    return [...listOf(tokenPolicies), ...listOf(policies)].includes(policy);
  });
}
