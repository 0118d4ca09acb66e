import { isEmpty } from "../../core/canonical";
import { advice, type Rule, rule } from "../../core/rules";

/** The parts of an ARN that matter here, or what is wrong with its shape. */
export function parseArn(text: string): { service: string; resourceType: string } | string {
  const sections = text.split(":");
  if (sections[0] !== "arn") return "must begin with `arn:`";
  if (sections.length < 6) return "must have six sections, such as arn:aws:iam::123456789012:role/name";
  return { service: sections[2] ?? "", resourceType: (sections[5] ?? "").split("/")[0] ?? "" };
}

/** Advice that a property, or each of its elements, looks like an ARN: partitions and services are the cloud's to know. */
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
