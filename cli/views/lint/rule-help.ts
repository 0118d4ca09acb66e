import type { Values } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import type { ExampleRecord, LintRule } from "../../facts/lint/rule";
import { classOf } from "../../stack/kinds";

/** The page that explains the rules; its links to other pages hold in the package. */
export const LINT_PAGE = "docs/lint.md";

/** Where a rule is explained. */
export function rulePlace(rule: string): string {
  return `${LINT_PAGE}#${rule}`;
}

/** What a rule finds, why, how it looks where it is wrong and right, and who says so: Markdown. */
export function ruleHelp({ name, of, why, severity, finds, bad, good, sources, ...around }: LintRule): string {
  const [token = ""] = of;
  const { beside = [], deleted = [] } = around;
  return [
    `Finds ${finds}. Severity: **${severity}**. Looks at ${of.map((each) => `\`${classOf({ token: each })}\``).join(", ")}.`,
    `Why: ${why}.`,
    "Bad:",
    codeBlock([...beside, [token, bad]], deleted),
    "Good:",
    codeBlock([...beside, [token, good]], deleted),
    `Read more: ${sources.map((address) => `<${address}>`).join(", ")}. To silence one of its notes, give an exception \`rule: ${name}\`.`,
  ].join("\n\n");
}

function codeBlock(records: readonly ExampleRecord[], deleted: readonly ExampleRecord[]): string {
  const gone = deleted.map(
    ([token, { name }]) => `// The preview deletes the ${classOf({ token })} ${JSON.stringify(name)}.`,
  );
  const statements = records.map(
    ([token, values]) =>
      `new trustplane.${classOf({ token })}("example${token.split(":")[1]}", ${objectText(values, "")});`,
  );
  return ["```ts", 'import * as trustplane from "trustplane";', "", ...gone, ...statements, "```"].join("\n");
}

const SHORT = 60;

function literal(value: unknown, indent: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(", ")}]`;
  return isRecord(value) ? objectText(value, indent) : JSON.stringify(value);
}

/** Short ones within others stand on one line. */
function objectText(values: Values, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: ${literal(value, inner)}`);
  const line = `{ ${members.join(", ")} }`;
  if (indent !== "" && line.length <= SHORT) return line;
  return `{\n${members.map((each) => `${inner}${each},\n`).join("")}${indent}}`;
}
