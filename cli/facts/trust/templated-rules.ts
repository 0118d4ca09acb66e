import { type PathRule, readPolicy } from "../../../provider/resources/sys/policy-text";
import { meet } from "./path-samples";

/** The rules of a policy; none where the server would refuse it. */
export function rulesOf(policy: string): readonly PathRule[] {
  const read = readPolicy(policy);
  return typeof read === "string" ? [] : read;
}

/** True for a rule whose path the server fills in, user by user. */
export const isTemplated = ({ path }: PathRule) => path.includes("{{");

/** True where a rule with a template may be about a path of the pattern: what is filled in may be any text. */
export function mayMeet({ path }: PathRule, pattern: string): boolean {
  return meet(pattern, `${path.slice(0, path.indexOf("{{"))}*`) !== undefined;
}
