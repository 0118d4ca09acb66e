import type { Values } from "../../../provider/core/definition";
import { hasUnknown } from "../../../provider/core/unknowns";
import { readPolicy } from "../../../provider/resources/sys/policy-text";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import type { TrustChange } from "./report";
import { listOf } from "./sentences";
import { code, listed } from "./trust-change";

/** The paths that policies deny, by the name of the policy. The server takes names in any case. */
export function denialsIn(policies: readonly EvaluatedRecord[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    policies.flatMap(({ values }) => {
      const read = hasUnknown(values["policy"]) ? "" : readPolicy(String(values["policy"] ?? ""));
      if (typeof read === "string") return [];
      const denied = read.filter(({ capabilities }) => capabilities.includes("deny")).map(({ path }) => path);
      return denied.length === 0 ? [] : [[String(values["name"]).toLowerCase(), denied] as const];
    }),
  );
}

/** What gives somebody policies, such as a role or a group, before a run and after it. */
interface PolicyGiver {
  readonly before: Values | undefined;
  readonly after: Values | undefined;
  /** The property that names the policies. */
  readonly property: string;
}

/** What is no longer denied to those who lose one policy and keep others: a policy that denies wins over all that allow. */
export function denialChanges(
  { before, after, property }: PolicyGiver,
  denials: ReadonlyMap<string, readonly string[]>,
): readonly Omit<TrustChange, "by">[] {
  if (before === undefined || after === undefined) return [];
  if (hasUnknown(before[property]) || hasUnknown(after[property])) return [];
  const namesOf = (values: Values) => listOf(values[property]).map((name) => String(name).toLowerCase());
  const [olds, news] = [namesOf(before), namesOf(after)];
  const stillDenied = new Set(news.flatMap((name) => denials.get(name) ?? []));
  return olds
    .filter((name) => !news.includes(name))
    .sort()
    .flatMap((name) => {
      const paths = (denials.get(name) ?? []).filter((path) => !stillDenied.has(path));
      if (paths.length === 0) return [];
      const sentence = `Whoever loses the policy ${code(name)} is no longer denied ${listed(paths.map(code), "and")}: what other policies allow there counts now.`;
      return [{ effect: "gains", sentence } as const];
    });
}
