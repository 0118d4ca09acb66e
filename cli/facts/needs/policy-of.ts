import type { Service } from "../../../provider/core/connection-entry";
import { partitionRules, ruleFor } from "../../../provider/dialects/consul-policy";
import type { Need } from "../../../provider/dialects/needs";
import { type Grant, merged, policyText } from "../../../provider/dialects/vault-policy";
import { shortLine } from "../../text/visible-text";

/** A resource, and what it needs of one connection. */
export interface Needy {
  /** Such as `jwt.Role ci`. */
  readonly title: string;
  readonly needs: readonly Need[];
}

/** The text of a policy that allows all of this and nothing else. */
export function policyOf(service: Service, resources: readonly Needy[]): string {
  if (service === "secrets") return policyText(grantsFor(resources));
  const titles = `# for ${titlesOf(resources.map(({ title }) => title))}`;
  if (service === "cluster") return `${titles}\n${rulesFor(resources)}`;
  return `${titles}\n# There is no policy text. Use the token of a user or a team whose organization access includes "Manage policies".`;
}

/** The rules of Consul for all of these requests, those of a partition in a block; a rule in none is for the token's own. */
export function rulesFor(resources: readonly Pick<Needy, "needs">[], separator = "\n"): string {
  const byPartition = Map.groupBy(
    resources.flatMap(({ needs }) => needs),
    ({ tenant }) => tenant,
  );
  const texts = [...byPartition].map(([partition, needs]) => {
    const rules = needs.flatMap((need) => ruleFor(need) ?? []);
    return partitionRules(partition, rules, separator);
  });
  return texts.filter(Boolean).join(separator);
}

/** One grant a path, in the order of the paths. */
export function grantsFor(resources: readonly Needy[]): readonly Grant[] {
  const uses = resources.flatMap(({ title, needs }) => needs.map((need) => ({ title, ...need })));
  const byPath = Map.groupBy(uses, ({ path }) => path.replace(/\?.*$/, ""));
  const grants = [...byPath].flatMap(([path, its]) => {
    const reasons = its.every(({ why }) => why !== undefined) ? its.flatMap(({ why }) => why ?? []) : [];
    const comments = [`for ${titlesOf(its.map(({ title }) => title))}`, ...reasons];
    return its.map(({ capabilities }) => ({ path, capabilities, comments }));
  });
  return merged(grants).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const MOST_TITLES = 5;
const LONGEST_TITLE = 80;

/** Names come from outside, and a line break would end the comment. */
function titlesOf(titles: readonly string[]): string {
  const all = [...new Set(titles)].sort();
  const some = all.slice(0, MOST_TITLES).map((title) => shortLine(title, LONGEST_TITLE));
  const more = all.length - some.length;
  return [...some, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
