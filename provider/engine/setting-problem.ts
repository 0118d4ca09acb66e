import type * as z from "zod";
import { didYouMean, nearest } from "../core/check";
import { connectionFields } from "../core/connection-entry";
import { LOGIN_FIELDS } from "../core/login-entry";
import { withArticle } from "../core/with-article";

/** What is wrong with a field of the configuration, in our words. */
export function settingProblem(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type")
    return issue.expected === "nonoptional" ? "is required" : `must be ${withArticle(issue.expected)}`;
  if (issue.code === "invalid_value" && !issue.message.startsWith("must"))
    return `must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}`;
  if (issue.code === "too_small")
    return issue.origin === "string"
      ? "must not be empty"
      : `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
  if (issue.code !== "unrecognized_keys") return issue.message;
  const known = issue.path.at(-1) === "login" ? LOGIN_FIELDS : ["service", ...Object.keys(connectionFields)];
  return issue.keys.map((key) => `it has the unknown field ${key}${didYouMean(nearest(key, known))}`).join("; ");
}
