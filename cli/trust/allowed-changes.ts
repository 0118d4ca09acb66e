import type { Values } from "../../provider/core/definition";
import { hasUnknown } from "../../provider/core/unknowns";
import { readPolicy } from "../../provider/resources/sys/policy-text";
import { writesPoliciesAt } from "../lint/policy-reach";
import type { TrustChange } from "./report";
import { code, listed } from "./trust-change";

type Said = Omit<TrustChange, "by">;

/** What those who have a policy may do that they could not before, and the other way round. */
export function allowedChanges(before: Values | undefined, after: Values | undefined): readonly Said[] {
  const name = code((after ?? before)?.["name"]);
  const [olds, news] = [rulesOf(before), rulesOf(after)];
  if (olds === undefined || news === undefined) {
    const sentence = `What ${name} allows cannot be told: its text is secret, wrong, or not known before \`pulumi up\`.`;
    return [{ effect: "unclear", sentence }];
  }
  if (after === undefined)
    return [{ effect: "loses", sentence: `${name} allows nothing any more: the policy is gone.` }];
  const [more, less] = [beyond(news, olds), beyond(olds, news)];
  const reach = writesPoliciesAt(String(after["policy"]));
  const isAdmin = reach !== undefined && reach !== "";
  const wasAdmin = before !== undefined && (writesPoliciesAt(String(before["policy"])) ?? "") !== "";
  return [
    ...(isAdmin && !wasAdmin
      ? [
          {
            effect: "opens",
            sentence: `${name} may now write policies by ${code(reach)}: whoever has it can give itself everything.`,
          } as const,
        ]
      : []),
    ...(more.length === 0
      ? []
      : [{ effect: "gains", sentence: `${name} now ${before ? "also " : ""}allows ${listed(more, "and")}.` } as const]),
    ...(less.length === 0
      ? []
      : [{ effect: "loses", sentence: `${name} no longer allows ${listed(less, "and")}.` } as const]),
  ];
}

/** What each path allows; undefined where that cannot be read. */
function rulesOf(values: Values | undefined): ReadonlyMap<string, readonly string[]> | undefined {
  const policy = values?.["policy"] ?? "";
  const read = hasUnknown(policy) ? "" : readPolicy(String(policy));
  if (typeof read === "string") return undefined;
  return new Map(
    [...Map.groupBy(read, ({ path }) => path)].map(([path, rules]) => {
      const words = rules.flatMap(({ capabilities }) => capabilities);
      return [path, words.includes("deny") ? [] : [...new Set(words)].sort()];
    }),
  );
}

type Rules = ReadonlyMap<string, readonly string[]>;

function beyond(rules: Rules, others: Rules): readonly string[] {
  return [...rules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, words]) => {
      const more = words.filter((word) => !others.get(path)?.includes(word));
      return more.length === 0 ? [] : [`${listed(more.map(code), "and")} on ${code(path)}`];
    });
}
