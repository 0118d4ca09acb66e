import { formatDuration } from "../../../provider/core/duration";
import { isRecord } from "../../../provider/core/unknowns";
import { setDifference } from "../../text/lists";
import { samplesOf } from "./path-samples";
import { isTemplated, isTemplatedName, mayBecome, mayMeet, rulesOf } from "./templated-rules";
import type { Comparison, Granted } from "./trust-file";
import type { Allowed, LoginResult } from "./trust-login";
import type { TrustWorld } from "./trust-world";
import { type Unclear, unclearText } from "./unclear-groups";

/** What a test expects of a login. */
export interface Expectation {
  readonly expect: "refused" | Granted;
  /** What may give the login more policies: groups in which it may be, entities that were not read. */
  readonly beside: readonly Unclear[];
  /** Why its policies cannot be told. */
  readonly untold?: string | undefined;
}

/** What differs from what a test expects, in sentences; none where nothing does. */
export async function problemsOf(
  world: TrustWorld,
  result: LoginResult,
  { expect: expected, beside, untold }: Expectation,
): Promise<string[]> {
  if ("refused" in result) return expected === "refused" ? [] : [`the login is refused: ${result.refused}`];
  if (expected === "refused")
    return [`the login is not refused: it gets ${namesOf(result.policies)} for ${formatDuration(result.seconds)}`];
  const { policies, ttl, may = {}, mayNot = {} } = expected;
  const isFilled = (name: string) => untold !== undefined && isTemplatedName(name);
  const [filled, own] = [result.policies.filter(isFilled), result.policies.filter((name) => !isFilled(name))];
  const fits = (name: string) => filled.some((template) => mayBecome(template, name));
  const giverOf = (name: string) => beside.find((group) => group.policies?.includes(name) ?? true);
  const { missing, more } = policyDifference(own, policies ?? own);
  const lacking = missing.filter((name) => !fits(name));
  const others = beside.filter((group) => group.policies?.some((name) => !result.policies.includes(name)) ?? true);
  const problemsWithin = async (more: readonly string[], abilities: Abilities) =>
    abilityProblems(world, { ...result, ...(await tokenWith(world, [...result.policies, ...more])) }, abilities);
  // What a policy allows whose name is filled in may be added to what is known, and takes nothing away from it.
  const asked = { may: untold === undefined ? may : {}, mayNot };
  const abilities = await abilityProblems(world, { ...result, policies: own }, asked);
  // What a group gives, or denies, may be otherwise.
  const within: string[][] = [];
  for (const { policies: more } of abilities.length === 0 ? [] : others)
    within.push(more === undefined ? [] : await problemsWithin(more, asked));
  const isSure = (problem: string) => within.every((problems) => problems.includes(problem));
  const known = [
    ...policyProblems({ missing: lacking.filter((name) => giverOf(name) === undefined), more }),
    ...(ttl === undefined ? [] : ttlProblems(result, ttl)),
    ...abilities.filter(isSure),
  ];
  if (known.length > 0) return known;
  if (untold !== undefined && (policies ?? expected.may ?? expected.mayNot) !== undefined) return [untold];
  for (const name of lacking) {
    const group = giverOf(name);
    if (group !== undefined) return [unclearText(`the token has ${namesOf([name])}`, group)];
  }
  const [unsure] = abilities;
  const decisive = others.find((_, at) => unsure !== undefined && !within[at]?.includes(unsure));
  if (unsure !== undefined && decisive !== undefined) return [unclearText(unsure, decisive)];
  for (const group of others) {
    if (policies !== undefined || group.policies === undefined)
      return [unclearText("the token has other policies, too", group)];
    const [problem] = await problemsWithin(group.policies, { may, mayNot });
    if (problem !== undefined) return [unclearText(problem, group)];
  }
  return [];
}

async function tokenWith(world: TrustWorld, policies: readonly string[]): Promise<Pick<Allowed, "token" | "policies">> {
  const { body } = await world.simulated.ask({ method: "POST", path: "auth/token/create", body: { policies } });
  return { token: isRecord(body["auth"]) ? String(body["auth"]["client_token"]) : "", policies };
}

interface PolicyDifference {
  readonly missing: readonly string[];
  readonly more: readonly string[];
}

function policyDifference(policies: readonly string[], expected: readonly string[]): PolicyDifference {
  const own = policies.filter((name) => name !== "default" || expected.includes(name));
  return setDifference(own, expected);
}

function policyProblems({ missing, more }: PolicyDifference): string[] {
  return [
    ...(missing.length === 0 ? [] : [`the token lacks ${namesOf(missing)}`]),
    ...(more.length === 0 ? [] : [`the token also has ${namesOf(more)}`]),
  ];
}

const holds: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "=": (a, b) => a === b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

function ttlProblems({ seconds }: Allowed, { operator, seconds: bound }: Comparison): string[] {
  if (holds[operator]?.(seconds, bound)) return [];
  const words = operator === "=" ? "" : `${operator} `;
  return [`the token lives ${formatDuration(seconds)}, expected ${words}${formatDuration(bound)}`];
}

interface Abilities {
  readonly may: Readonly<Record<string, readonly string[]>>;
  readonly mayNot: Readonly<Record<string, readonly string[]>>;
}

async function abilityProblems(world: TrustWorld, { token, policies }: Allowed, asked: Abilities): Promise<string[]> {
  const patterns = Object.keys({ ...asked.may, ...asked.mayNot });
  if (patterns.length === 0) return [];
  const unknown = policies.filter((name) => name !== "root" && world.policies.get(name) === undefined);
  if (unknown.length > 0) return [unknownPolicies(unknown)];
  const rules = policies.flatMap((name) => rulesOf(world.policies.get(name) ?? ""));
  const templates = rules.filter(isTemplated);
  const ruled = rules.filter((rule) => !isTemplated(rule)).map(({ path }) => path);
  const samples = new Map(patterns.map((pattern) => [pattern, samplesOf(pattern, ruled)]));
  const paths = [...new Set([...samples.values()].flat())];
  const able = await capabilitiesOf(world, token, paths);
  const can = (path: string, word: string) => {
    const words = able.get(path) ?? [];
    return words.includes("root") || words.includes(word);
  };
  const findings = (of: Abilities["may"], wanted: boolean) =>
    Object.entries(of).flatMap(([pattern, words]) =>
      words.flatMap((word) => {
        // What is filled in may give what is missing, and hide what is there; and the other way round.
        const deciding = (isWrong: boolean) =>
          templates.filter(({ capabilities }) => capabilities.includes(word) === (isWrong === wanted));
        const all = (samples.get(pattern) ?? []).filter((path) => can(path, word) !== wanted);
        const wrong = all.find((path) => !deciding(true).some((rule) => mayMeet(rule, path)));
        const filled =
          wrong === undefined
            ? deciding(all.length > 0).find((rule) =>
                (all.length > 0 ? all : [pattern]).some((path) => mayMeet(rule, path)),
              )
            : undefined;
        if (filled !== undefined)
          return [
            `it cannot be told whether the token may ${word} ${pattern}: the server fills in the path ${filled.path} of its policies`,
          ];
        if (wrong === undefined) return [];
        return [
          `the token ${wanted ? "may not" : "may"} ${word} ${wrong === pattern ? wrong : `${pattern}: ${wrong}`}`,
        ];
      }),
    );
  return [...findings(asked.may, true), ...findings(asked.mayNot, false)];
}

export const unknownPolicies = (names: readonly string[]) =>
  `nobody knows what ${namesOf(names)} allows: the stack has no such policy, hides its text, or has one that cannot be read; give it in \`policies\``;

export async function capabilitiesOf(world: TrustWorld, token: string, paths: readonly string[]) {
  const { body } = await world.simulated.ask({ method: "POST", path: "sys/capabilities", body: { token, paths } });
  const data = isRecord(body["data"]) ? body["data"] : {};
  return new Map(
    paths.map((path) => {
      const words = data[path];
      return [path, Array.isArray(words) ? words.map(String) : []] as const;
    }),
  );
}

export const namesOf = (names: readonly string[]) =>
  names.length === 0 ? "no policies" : `${names.length === 1 ? "policy" : "policies"} ${names.join(", ")}`;
