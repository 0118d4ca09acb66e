import { canonicalText } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown } from "../../../provider/core/unknowns";
import { type PathRule, readPolicy } from "../../../provider/resources/sys/policy-text";
import { decisiveRule, writesPoliciesAt } from "../lint/policy-reach";
import { samplesOf } from "./path-samples";
import type { TrustChange } from "./report";
import { code, listed } from "./trust-change";

type Said = Omit<TrustChange, "by">;

/** What those who have a policy may do that they could not before, and the other way round. */
export function allowedChanges(before: Values | undefined, after: Values | undefined): readonly Said[] {
  const name = code((after ?? before)?.["name"]);
  const [olds, news] = [rulesOf(before), rulesOf(after)];
  if (olds === undefined || news === undefined) {
    const sentence = `What ${name} allows cannot be told: its text is secret, wrong, or not known yet.`;
    return [{ effect: "unclear", sentence }];
  }
  const first: readonly Said[] =
    after === undefined
      ? [{ effect: "loses", sentence: `${name} allows nothing any more: the policy is gone.` }]
      : writingChange(before, after);
  const paths = differing(olds, news);
  if (paths.length * (olds.length + news.length) > MOST_COMPARED) {
    const sentence = `What ${name} allows cannot be told: ${paths.length} of its paths differ, which are too many to weigh.`;
    return [...first, { effect: "unclear", sentence }];
  }
  const compared = paths.flatMap((path) =>
    samplesOf(path, []).map((sample) => ({ path, was: allowedAt(olds, sample), is: allowedAt(news, sample) })),
  );
  const said = (effect: Said["effect"], parts: readonly string[], text: (list: string) => string): readonly Said[] =>
    parts.length === 0 ? [] : [{ effect, sentence: `${name} ${text(listed(parts, "and"))}.` }];
  const undenied = pathsIn(compared.filter(({ was, is }) => was.isDenied && !is.isDenied && is.words.length === 0));
  const opened = said(
    "unclear",
    undenied,
    (list) => `no longer denies ${list}: what other policies allow there counts now`,
  );
  if (after === undefined) return [...first, ...opened];
  const more = beyond(compared.map(({ path, was, is }) => ({ path, words: is.words, others: was.words })));
  const less = beyond(compared.map(({ path, was, is }) => ({ path, words: was.words, others: is.words })));
  const otherwise = pathsIn(
    compared.filter(
      ({ was, is }) => was.words.some((word) => is.words.includes(word)) && was.conditions !== is.conditions,
    ),
  );
  return [
    ...first,
    ...said("gains", more, (list) => `now ${before ? "also " : ""}allows ${list}`),
    ...said("loses", less, (list) => `no longer allows ${list}`),
    ...said(
      "unclear",
      otherwise,
      (list) => `allows the same on ${list} under other conditions, which are not weighed here`,
    ),
    ...opened,
  ];
}

/** Who may write policies may do anything. */
function writingChange(before: Values | undefined, after: Values): readonly Said[] {
  const reach = (values: Values) => writesPoliciesAt(String(values["policy"])) ?? "";
  if (reach(after) === "" || (before !== undefined && reach(before) !== "")) return [];
  const name = code(after["name"]);
  const sentence = `${name} may now write policies by ${code(reach(after))}: whoever has it can give itself everything.`;
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
function differing(olds: readonly PathRule[], news: readonly PathRule[]): readonly string[] {
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

interface Compared {
  readonly path: string;
  readonly words: readonly string[];
  readonly others: readonly string[];
}

/** The capabilities that these paths have beyond the others. */
function beyond(compared: readonly Compared[]): readonly string[] {
  return [...Map.groupBy(compared, ({ path }) => path)].flatMap(([path, samples]) => {
    const more = samples.flatMap(({ words, others }) => words.filter((word) => !others.includes(word)));
    return more.length === 0 ? [] : [`${listed([...new Set(more)].sort().map(code), "and")} on ${code(path)}`];
  });
}

function pathsIn(compared: readonly { readonly path: string }[]): readonly string[] {
  return [...new Set(compared.map(({ path }) => path))].map(code);
}
