import type { DriftReport, PropertyDrift, ResourceReport } from "../../facts/drift/report";
import { shownChanges } from "../../facts/drift/shown-changes";
import { failedLists, summaryLine, verbOf } from "../../facts/drift/summary";
import { trustLine } from "../../facts/trust/trust-change";
import { placedId } from "../../stack/place";
import { visibleLine } from "../../text/visible-text";
import { fileOf, sarifLog, sarifResult, type Where } from "../sarif";

/** What can be found, as the rules of a code scanning service. */
const RULES = {
  changed: { level: "warning", text: "A record differs from what the state says." },
  missing: { level: "error", text: "A record is gone from the server." },
  unknown: { level: "error", text: "A record could not be read, so nothing is known about it." },
  unmanaged: { level: "note", text: "A record that the stack does not manage." },
  trust: { level: "warning", text: "Who can become what differs from what the state says." },
} as const;
type RuleId = keyof typeof RULES;

/** Of a change of trust, by what it does. */
const EFFECTS = { opens: "error", gains: "warning", unclear: "warning", loses: "note" } as const;

/** The report for code scanning (OASIS SARIF 2.1.0). What is ignored is included, as suppressed with its reason. */
export function sarifReport(report: DriftReport): string {
  const results = [
    ...(report.trust ?? []).map((change) => {
      const text = trustLine(change);
      return { ...result("trust", text, { key: text }), level: EFFECTS[change.effect] };
    }),
    ...report.resources.flatMap(resultsOf),
    ...(report.unmanaged ?? []).map(({ type, ignored, ...record }) => {
      const title = `${type} ${placedId(record)}`;
      return result("unmanaged", `${title} is not in the state.`, { key: title, suppressed: ignored?.reason });
    }),
    ...failedLists(report).map((list) =>
      result("unknown", `${list.path} could not be ${verbOf(list)}: ${list.reason}`, { key: list.path }),
    ),
  ];
  const run = {
    tool: {
      driver: { name: "trustplane drift", rules: rules() },
    },
    invocations: [
      {
        executionSuccessful: report.result !== "unknown",
        endTimeUtc: report.checkedAt,
        toolExecutionNotifications: [{ level: "note", message: { text: visibleLine(summaryLine(report)) } }],
      },
    ],
    results,
  };
  return sarifLog(run);
}

function rules() {
  return Object.entries(RULES).map(([id, { level, text }]) => ({
    id,
    shortDescription: { text },
    defaultConfiguration: { level },
  }));
}

function resultsOf(resource: ResourceReport) {
  const { status, type, name, urn, properties, error, ignored, declaredAt } = resource;
  const title = `${type} ${name}`;
  const place = declaredAt ?? fileOf(urn);
  const at = { key: urn, at: place };
  if (status === "unknown") return [result("unknown", `${title} could not be read: ${error}`, at)];
  if (status === "missing" || ignored) {
    return [result("missing", `${title} is missing.`, { ...at, suppressed: ignored?.reason })];
  }
  return properties.map((drift) =>
    result("changed", `${title}: ${textOf(drift)}`, {
      key: `${urn}#${drift.property}`,
      at: place,
      suppressed: drift.ignored?.reason,
    }),
  );
}

function textOf(drift: PropertyDrift): string {
  return shownChanges(drift)
    .map(({ path, expected, actual }) => `${path} is ${actual}, expected ${expected}`)
    .join("; ");
}

function result(ruleId: RuleId, text: string, where: Where) {
  return sarifResult({ ruleId, level: RULES[ruleId].level, text, ...where }, "trustplaneDrift/v1");
}
