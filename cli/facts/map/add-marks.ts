import type { DriftReport, ResourceReport } from "../drift/report";
import type { Finding } from "../lint/lint";
import { said, shortFinding } from "./map-graph";
import type { PlacedRecord } from "./placed-records";
import type { MapDrift, MapNode } from "./trust-map";

export interface Marks {
  readonly findings: readonly Finding[];
  readonly drift: DriftReport | undefined;
}

const MOST = 20;

/** The nodes, with what the review says of their records, and how they differ from their servers. */
export function marked(
  nodes: readonly MapNode[],
  records: readonly PlacedRecord[],
  { findings, drift }: Marks,
): readonly MapNode[] {
  const byRecord = Map.groupBy(
    findings.flatMap((finding) =>
      (finding.records ?? [undefined]).map((record) => ({ key: keyOf({ urn: finding.urn, record }), finding })),
    ),
    ({ key }) => key,
  );
  const reports = new Map(drift?.resources.map((report) => [report.urn, report]));
  const within = new Map(records.map((each) => [keyOf(each.resource), each.within]));
  return nodes.map((node) => {
    const found = node.resources.flatMap((each) => byRecord.get(keyOf(each)) ?? []);
    const drifts = node.resources.flatMap((each) => driftOf(reports.get(each.urn), within.get(keyOf(each))) ?? []);
    const [first] = drifts;
    return {
      ...node,
      findings: found
        .slice(0, MOST)
        .map(({ finding: { rule, property, what, why } }) => shortFinding({ rule, what: `${property} ${what}`, why })),
      ...(first
        ? { drift: { ...first, properties: drifts.flatMap(({ properties }) => properties).slice(0, MOST) } }
        : {}),
    };
  });
}

function keyOf({ urn, record }: { readonly urn: string; readonly record?: string | undefined }): string {
  return JSON.stringify([urn, record]);
}

/** Of a set, what differs in the record at this path. */
function driftOf(report: ResourceReport | undefined, within: string | undefined): MapDrift | undefined {
  if (report === undefined) return undefined;
  const { status } = report;
  if (status === "unchanged" || status === "ignored") return undefined;
  if (status !== "changed") return { status, properties: [] };
  const its = report.properties.filter(
    ({ property, ignored }) => !ignored && (within === undefined || isWithin(property, within)),
  );
  const isGone = its.some(({ property, record }) => property === within && record === "missing");
  if (its.length === 0) return undefined;
  const properties = its.map(({ property }) =>
    said(within === undefined ? property : property.slice(within.length + 1)),
  );
  return isGone ? { status: "missing", properties: [] } : { status, properties };
}

function isWithin(property: string, within: string): boolean {
  return property === within || property.startsWith(`${within}.`) || property.startsWith(`${within}[`);
}
