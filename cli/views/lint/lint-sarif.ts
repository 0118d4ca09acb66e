import type { Finding, LintResult } from "../../facts/lint/lint";
import { LINT_RULES } from "../../facts/lint/rules";
import { visibleLine } from "../../text/visible-text";
import { fileOf, sarifLog, sarifResult } from "../sarif";
import { ruleHelp, rulePlace } from "./rule-help";

/** The notes for code scanning (OASIS SARIF 2.1.0). */
export function lintSarif({ findings, unchecked }: LintResult, notLookedAt: readonly string[]): string {
  const unseen = [
    ...notLookedAt,
    ...unchecked.map(
      ({ class: type, name, properties }) => `${type} ${name}: ${properties.join(", ")} cannot be checked`,
    ),
  ];
  return sarifLog({
    tool: { driver: { name: "trustplane lint", rules: rules() } },
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: unseen.map((text) => ({ level: "warning", message: { text: visibleLine(text) } })),
      },
    ],
    results: findings.map(resultOf),
  });
}

/** The package has no address of its own on the web: `helpUri` is that of the public source, and `help` has our page's text. */
function rules() {
  return LINT_RULES.map((rule) => ({
    id: rule.name,
    shortDescription: { text: `Finds ${rule.finds}.` },
    fullDescription: { text: `Finds ${rule.finds}: ${rule.why}.` },
    help: { text: `${rule.why}. See ${rulePlace(rule.name)} in the package.`, markdown: ruleHelp(rule) },
    helpUri: rule.sources[0],
    defaultConfiguration: { level: rule.severity },
  }));
}

function resultOf({ rule, severity, urn, class: type, name, property, what, why, records = [] }: Finding) {
  const among = records.length > 1 ? ` in ${records.length} records: ${records.join(", ")}` : "";
  const text = `${type} ${name}: ${property} ${what}${among}. ${why}.`;
  const key = `${urn}#${property}`;
  return sarifResult({ ruleId: rule, level: severity, text, key, at: fileOf(urn) }, "trustplaneLint/v1");
}
