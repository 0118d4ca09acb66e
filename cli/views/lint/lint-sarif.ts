import type { Finding, LintResult, SilencedFinding } from "../../facts/lint/lint";
import { LINT_RULES } from "../../facts/lint/rules";
import { firstOf } from "../../text/lists";
import { visibleLine } from "../../text/visible-text";
import { fileOf, sarifLog, sarifResult } from "../sarif";
import { ruleHelp, rulePlace } from "./rule-help";

/** The notes for code scanning (OASIS SARIF 2.1.0). What is silenced is included, as suppressed with its reason. */
export function lintSarif({ findings, silenced, unchecked }: LintResult, notLookedAt: readonly string[]): string {
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
    results: [...findings, ...silenced].map(resultOf),
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

function resultOf(note: Finding | SilencedFinding) {
  const { rule, severity, urn, class: type, name, property, what, why, records = [] } = note;
  const among = records.length > 1 ? ` in ${records.length} records: ${firstOf(records)}` : "";
  const text = `${type} ${name}: ${property} ${what}${among}. ${why}.`;
  const suppressed = "reason" in note ? note.reason : undefined;
  const result = { ruleId: rule, level: severity, text, key: keyOf(note), at: fileOf(urn), suppressed };
  return sarifResult(result, "trustplaneLint/v1");
}

/** A note of a set is the same one whichever records have it. Those that are silenced are a note of their own. */
function keyOf(note: Finding | SilencedFinding): string {
  const { urn, property, setting, what } = note;
  if (setting === undefined) return `${urn}#${property}`;
  return `${urn}#${setting} ${what}${"reason" in note ? `, silenced: ${note.reason} (${note.exception})` : ""}`;
}
