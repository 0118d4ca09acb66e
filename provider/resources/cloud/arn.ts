import { isEmpty } from "../../core/canonical";
import { advice, type Rule, rule } from "../../core/rules";

/** Service and resource type of an ARN, or what is wrong with the ARN. */
export function parseArn(text: string): { service: string; resourceType: string } | string {
  const sections = text.split(":");
  if (sections[0] !== "arn") return "must begin with `arn:`";
  if (sections.length < 6) return "must have six sections, such as arn:aws:iam::123456789012:role/name";
  return { service: sections[2] ?? "", resourceType: (sections[5] ?? "").split("/")[0] ?? "" };
}

/** What is wrong with the ARN of a role or policy, as far as its sections tell. Which partitions exist, only the cloud knows. */
function arnProblem(text: string, type: "role" | "policy"): string | undefined {
  const parsed = parseArn(text);
  if (typeof parsed === "string") return parsed;
  const [, , service, region, account = ""] = text.split(":");
  const like = `arn:aws:iam::123456789012:${type}/name`;
  if (service !== "iam") return `is not of the service iam: it must be like ${like}`;
  if (region !== "") return `has a region, which no ARN of IAM has: it must be like ${like}`;
  if (!/^\d{12}$/.test(account) && !(type === "policy" && account === "aws"))
    return `has no account of 12 digits: it must be like ${like}`;
  return text.includes(`:${type}/`) ? undefined : `is not the ARN of a ${type}: it must be like ${like}`;
}

/** Warns where a property, or one of its elements, is no ARN of its type. */
export function looksLikeArn<const Key extends string>(key: Key, type: "role" | "policy" = "role"): Rule<Key> {
  return advice(
    rule([key], (values) => {
      const given = values[key];
      if (isEmpty(given)) return undefined;
      const list = Array.isArray(given);
      return [given].flat().flatMap((arn, index) => {
        const problem = arnProblem(String(arn), type);
        const property = list ? `${key}[${index}]` : key;
        return problem === undefined ? [] : [{ property, reason: `${JSON.stringify(arn)} ${problem}` }];
      });
    }),
  );
}
