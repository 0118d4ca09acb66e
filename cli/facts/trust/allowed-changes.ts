import { canonicalText } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown } from "../../../provider/core/unknowns";
import { type PathRule, readPolicy } from "../../../provider/resources/sys/policy-text";
import { decisiveRule, writesPoliciesAt } from "../lint/policy-reach";
import { meet, sampledParts } from "./path-samples";
import { code, listed, type Said } from "./trust-change";

/** What those who have a policy may do that they could not before, and the other way round. */
export function allowedChanges(
  before: Values | undefined,
  after: Values | undefined,
  differing: readonly string[] = [],
): readonly Said[] {
  const name = code((after ?? before)?.["name"]);
  const who = `Whoever has the policy ${name}`;
  const [olds, news] = [rulesOf(before), rulesOf(after)];
  if (olds === undefined || news === undefined || differing.includes("policy")) {
    const sentence = `What the policy ${name} allows cannot be told: its text is secret, wrong, or not known yet.`;
    return [{ effect: "unclear", sentence }];
  }
  const first: readonly Said[] =
    after === undefined
      ? [{ effect: "loses", sentence: `${who} may do nothing by it any more: the policy is gone.` }]
      : writingChange(before, after);
  const compared = comparedPaths(olds, news);
  if (typeof compared === "number") {
    const sentence = `What the policy ${name} allows cannot be told: ${compared} of its paths differ, which are too many to weigh.`;
    return [...first, { effect: "unclear", sentence }];
  }
  const said = (effect: Said["effect"], parts: readonly string[], text: (list: string) => string): readonly Said[] =>
    parts.length === 0 ? [] : [{ effect, sentence: `${who} ${text(listed(parts, "and"))}.` }];
  const undenied = pathsIn(compared.filter(({ was, is }) => was.isDenied && !is.isDenied && is.words.length === 0));
  const opened = said(
    "unclear",
    undenied,
    (list) => `is no longer denied ${list}: what other policies allow there counts now`,
  );
  if (after === undefined) return [...first, ...opened];
  const more = beyond(compared.map(({ path, was, is, part }) => ({ path, part, words: is.words, others: was.words })));
  const less = beyond(compared.map(({ path, was, is, part }) => ({ path, part, words: was.words, others: is.words })));
  const otherwise = pathsIn(
    compared.filter(
      ({ was, is }) => was.words.some((word) => is.words.includes(word)) && was.conditions !== is.conditions,
    ),
  );
  return [
    ...first,
    ...said("gains", more, (list) => `may now ${before ? "also " : ""}${list}`),
    ...said("loses", less, (list) => `may no longer ${list}`),
    ...said(
      "unclear",
      otherwise,
      (list) => `may do the same on ${list} under other conditions, which are not weighed here`,
    ),
    ...opened,
  ];
}

interface ComparedPath {
  /** The path of a rule that differs. */
  readonly path: string;
  /** What it has in common with another rule, by which other capabilities may count. */
  readonly part: string;
  readonly was: Allowed;
  readonly is: Allowed;
}

/**
 * What both sides allow on the paths of each rule that differs. A rule that comes or goes hides others of its policy, or
 * uncovers them: so there are paths for each pattern of either side that it meets. A number of paths where these are too many.
 */
function comparedPaths(olds: readonly PathRule[], news: readonly PathRule[]): readonly ComparedPath[] | number {
  const paths = differingPaths(olds, news);
  const count = olds.length + news.length;
  if (paths.length * count > MOST_COMPARED) return paths.length;
  const ruled = [...new Set([...olds, ...news].map(({ path }) => path))];
  const found = paths.map((path) => ({ path, met: ruled.filter((rule) => meet(path, rule) !== undefined) }));
  if (found.reduce((sum, { met }) => sum + met.length, 0) * count > MOST_COMPARED) return paths.length;
  return found.flatMap(({ path, met }) =>
    sampledParts(path, met).flatMap(({ part, samples }) =>
      samples.map((sample) => ({ path, part, was: allowedAt(olds, sample), is: allowedAt(news, sample) })),
    ),
  );
}

/** Who may write policies may do anything. */
function writingChange(before: Values | undefined, after: Values): readonly Said[] {
  const reach = (values: Values) => writesPoliciesAt(String(values["policy"])) ?? "";
  if (reach(after) === "" || (before !== undefined && reach(before) !== "")) return [];
  const name = code(after["name"]);
  const sentence = `Whoever has the policy ${name} can now give itself everything: it may write policies by ${code(reach(after))}.`;
  return [{ effect: "opens", sentence }];
}

/** More would take long: a hostile policy has very many rules. */
const MOST_COMPARED = 400_000;

/** The rules of a policy; undefined where they cannot be read. */
function rulesOf(values: Values | undefined): readonly PathRule[] | undefined {
  const policy = values?.["policy"] ?? "";
  const read = hasUnknown(policy) ? "" : readPolicy(String(policy));
  return typeof read === "string" ? undefined : read;
}

/** The patterns of which one side says something else than the other one, in order. */
function differingPaths(olds: readonly PathRule[], news: readonly PathRule[]): readonly string[] {
  const [was, is] = [olds, news].map((rules) => Map.groupBy(rules, ({ path }) => path));
  const paths = [...new Set([...olds, ...news].map(({ path }) => path))].sort();
  return paths.filter((path) => canonicalText(was?.get(path) ?? []) !== canonicalText(is?.get(path) ?? []));
}

interface Allowed {
  readonly words: readonly string[];
  readonly isDenied: boolean;
  readonly conditions: string;
}

/** What a policy allows on a path, by the rule that the server applies there: a pattern may hide another one. */
function allowedAt(rules: readonly PathRule[], path: string): Allowed {
  const rule = decisiveRule(rules, path);
  const words = rule?.capabilities ?? [];
  const isDenied = words.includes("deny");
  return {
    words: isDenied ? [] : [...new Set(words)].sort(),
    isDenied,
    conditions: canonicalText(rule?.conditions ?? {}),
  };
}

interface Compared extends Pick<ComparedPath, "path" | "part"> {
  readonly words: readonly string[];
  readonly others: readonly string[];
}

/** The capabilities that these paths have beyond the others; of a part only what its whole has not. */
function beyond(compared: readonly Compared[]): readonly string[] {
  const moreOf = (samples: readonly Compared[]) =>
    new Set(samples.flatMap(({ words, others }) => words.filter((word) => !others.includes(word))));
  const byPart = Map.groupBy(compared, ({ part }) => part);
  const more = new Map([...byPart].map(([part, samples]) => [part, moreOf(samples)]));
  return [...byPart].flatMap(([part, samples]) => {
    const wholes = samples.flatMap(({ path }) => (path === part ? [] : [...(more.get(path) ?? [])]));
    const own = [...(more.get(part) ?? [])].filter((word) => !wholes.includes(word)).sort();
    return own.length === 0 ? [] : [`${listed(own.map(code), "and")} on ${code(part)}`];
  });
}

function pathsIn(compared: readonly Pick<ComparedPath, "path" | "part">[]): readonly string[] {
  const parts = new Set(compared.map(({ part }) => part));
  return [
    ...new Set(compared.filter(({ path, part }) => path === part || !parts.has(path)).map(({ part }) => part)),
  ].map(code);
}
