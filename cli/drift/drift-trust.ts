import type { Values } from "../../provider/core/definition";
import { isRecord } from "../../provider/core/unknowns";
import { definitions } from "../../provider/resources";
import { stepsOf } from "../changes/property-paths";
import { recordedJudged } from "../lint/linted-resources";
import type { TrustChange } from "../trust/report";
import { type TrustRecord, trustChanges } from "../trust/trust-changes";
import type { RecordedResource } from "./recorded-stack";
import type { ResourceReport } from "./report";

const { jwtRole, jwtRoleSet, jwtConfig, identityGroup, sysPolicy } = definitions;
const DECISIVE = new Set<string>([jwtRole, jwtRoleSet, jwtConfig, identityGroup, sysPolicy].map(({ token }) => token));

/** True for the classes that decide who can become what. */
export function decidesTrust(token: string): boolean {
  return DECISIVE.has(token.replace(".", ":"));
}

/** Who gains or loses which policy by what has drifted. What is ignored changes nothing. */
export function trustOfDrift(
  reports: readonly ResourceReport[],
  resources: readonly RecordedResource[],
): readonly TrustChange[] {
  const reportOf = new Map(reports.map((report) => [report.urn, report]));
  const all = resources.flatMap((resource): Sides[] => {
    const { definition } = resource;
    if (definition === undefined) return [];
    const records = recordedJudged(definition, resource).records.map((each) => ({ ...each, urn: resource.urn }));
    const report = reportOf.get(resource.urn);
    if (report === undefined || !["changed", "missing"].includes(report.status)) return [{ beside: records }];
    if (report.status === "missing") return [{ before: records }];
    const compared = records.map((record) => withDrift(record, report));
    return [
      {
        before: compared.map(({ before }) => before),
        after: [...compared.flatMap(({ after }) => after ?? []), ...unnamedRecords(resource, report)],
      },
    ];
  });
  const joined = (side: keyof Sides) => all.flatMap((each) => each[side] ?? []);
  return trustChanges({ before: joined("before"), after: joined("after"), beside: joined("beside") });
}

interface Sides {
  readonly before?: readonly TrustRecord[];
  readonly after?: readonly TrustRecord[];
  readonly beside?: readonly TrustRecord[];
}

/** A record as the program wants it, and as the server has it; after is absent for one that is gone. */
function withDrift(record: TrustRecord, { properties }: ResourceReport) {
  const before: Record<string, unknown> = { ...record.values };
  const after: Record<string, unknown> = { ...record.values };
  for (const { property, kind, secret, actual, record: whole, ignored } of properties) {
    if (ignored || kind !== "input") continue;
    const steps = stepsOf(property);
    if (record.of !== undefined && steps[1] !== record.of.name) continue;
    if (whole === "missing") return { before: { ...record, values: before } };
    const name = steps[record.of === undefined ? 0 : 2] ?? "";
    // Of a secret nothing is known but that it differs: it is there on one side only.
    if (secret) delete before[name];
    else after[name] = actual;
  }
  return { before: { ...record, values: before }, after: { ...record, values: after } };
}

/** Records of an exclusive set that the program does not name. */
function unnamedRecords({ definition, urn }: RecordedResource, { properties }: ResourceReport): readonly TrustRecord[] {
  const members = definition?.members;
  if (members === undefined) return [];
  return properties
    .filter(({ record, ignored }) => record === "unnamed" && !ignored)
    .flatMap(({ actual }) => (isRecord(actual) ? [{ definition: members.of, values: actual as Values, urn }] : []));
}
