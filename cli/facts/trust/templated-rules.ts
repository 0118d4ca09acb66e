import { isLike } from "../../../provider/core/is-like";
import { type PathRule, readPolicy } from "../../../provider/resources/sys/policy-text";
import { meet } from "./path-samples";

/** The rules of a policy; none where the server would refuse it. */
export function rulesOf(policy: string): readonly PathRule[] {
  const read = readPolicy(policy);
  return typeof read === "string" ? [] : read;
}

/** True for a rule whose path the server fills in, user by user. */
export const isTemplated = ({ path }: PathRule) => path.includes("{{");

/** True for the name of a policy that claims of the token fill in. */
export const isTemplatedName = (name: string) => name.includes("{{");

/**
 * True where claims may fill in a template so that it becomes this name. Between its first action and its last one a condition
 * may leave out any text, and what is blank around a name does not count.
 */
export function mayBecome(template: string, name: string): boolean {
  const [first, last] = [template.indexOf("{{"), template.lastIndexOf("}}")];
  if (first < 0) return template === name;
  return isLike(`${template.slice(0, first).trim()}*${last < first ? "" : template.slice(last + 2).trim()}`, name);
}

/** True where a rule with a template may be about a path of the pattern: what is filled in may be any text. */
export function mayMeet({ path }: PathRule, pattern: string): boolean {
  return meet(pattern, `${path.slice(0, path.indexOf("{{"))}*`) !== undefined;
}
