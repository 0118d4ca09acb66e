import type { DriftReport, PropertyDrift, ResourceReport } from "../../facts/drift/report";
import { shownChanges } from "../../facts/drift/shown-changes";
import { failedLists, summaryLine } from "../../facts/drift/summary";
import { trustLine } from "../../facts/trust/trust-change";
import { isAddress } from "../../stack/address";
import { placedId } from "../../stack/place";
import type { SourcePosition } from "../../stack/record-place";
import { visibleLine } from "../../text/visible-text";

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

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
/** Every result needs a file. Every Pulumi project has the first one, and most of Terraform have the second one. */
const FALLBACK: SourcePosition = { file: "Pulumi.yaml", line: 1 };
const TERRAFORM_FALLBACK: SourcePosition = { file: "main.tf", line: 1 };

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
    ...failedLists(report).map(({ path, reason }) =>
      result("unknown", `${path} could not be listed: ${reason}`, { key: path }),
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
  return `${JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, undefined, 2)}\n`;
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
  const place = declaredAt ?? (isAddress(urn) ? TERRAFORM_FALLBACK : undefined);
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

interface Where {
  /** Identifies the finding in the next run. */
  readonly key: string;
  readonly at?: SourcePosition | undefined;
  readonly suppressed?: string | undefined;
}

function result(ruleId: RuleId, text: string, { key, at = FALLBACK, suppressed }: Where) {
  return {
    ruleId,
    level: RULES[ruleId].level,
    message: { text: visibleLine(text) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(at.file), uriBaseId: "%SRCROOT%" },
          region: { startLine: at.line },
        },
      },
    ],
    partialFingerprints: { "trustplaneDrift/v1": `${ruleId} ${key}` },
    ...(suppressed === undefined
      ? {}
      : { suppressions: [{ kind: "external", status: "accepted", justification: visibleLine(suppressed) }] }),
  };
}
