import { isEmpty } from "../../core/canonical";
import { advice, type Rule, rule } from "../../core/rules";

/** Service and resource type of an ARN, or what is wrong with the ARN. */
export function parseArn(text: string): { service: string; resourceType: string } | string {
  const sections = text.split(":");
  if (sections[0] !== "arn") return "must begin with `arn:`";
  if (sections.length < 6) return "must have six sections, such as arn:aws:iam::123456789012:role/name";
  return { service: sections[2] ?? "", resourceType: (sections[5] ?? "").split("/")[0] ?? "" };
}

/** Warns where a property, or one of its elements, is no ARN. Which partitions and services exist, only the cloud knows. */
export function looksLikeArn<const Key extends string>(key: Key): Rule<Key> {
  return advice(
    rule([key], (values) => {
      const given = values[key];
      if (isEmpty(given)) return undefined;
      const list = Array.isArray(given);
      return [given]
        .flat()
        .map((arn, index) => ({ property: list ? `${key}[${index}]` : key, reason: parseArn(String(arn)) }))
        .filter((found): found is { property: string; reason: string } => typeof found.reason === "string");
    }),
  );
}
