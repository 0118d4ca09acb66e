import type { OldResource, OldState } from "../../sources/old-state";
import { type Found, type FoundRecord, keyOf, type NotAdopted } from "../../sources/servers/found-record";
import { withoutKeys } from "../../stack/address";
import { classOf } from "../../stack/kinds";
import type { ByProvider } from "./old-providers";
import type { TracedResource } from "./old-records";

/** What the old state has, and what was found of it. */
export interface OldTraces extends Pick<OldState, "tool">, Pick<ByProvider<OldResource>, "elsewhere"> {
  readonly traced: readonly TracedResource[];
}

/** What becomes of each resource of the old state. */
export interface HandOver extends Pick<OldState, "tool"> {
  /** Those whose records are all in the new program: the old state must forget them, so that nobody deletes them. */
  readonly forgotten: readonly ForgottenResource[];
  /** Those that the old program still manages, and why. */
  readonly staying: readonly NotAdopted[];
  /** Those of which the servers have nothing. */
  readonly gone: readonly NotAdopted[];
}

interface ForgottenResource {
  readonly old: OldResource;
  /** The resource of which it is a part. */
  readonly whole?: OldResource;
  /** Whether a record of it is not managed before a value is set. */
  readonly waits: boolean;
}

/** Decides from what is in the new program, and from nothing else. */
export function handOverOf({ tool, traced, elsewhere }: OldTraces, found: Found): HandOver {
  const byKey = new Map(found.records.map((record) => [keyOf(record), record]));
  const isTaken = ({ records }: TracedResource) =>
    records.some(({ key }) => key !== undefined) && records.every(({ key, isGone }) => isGone || byKey.has(key ?? ""));
  const isGone = ({ records }: TracedResource) => records.length > 0 && records.every((record) => record.isGone);
  const forgotten = traced.filter(isTaken);
  const leaves = new Set(forgotten.map(({ old }) => withoutKeys(old.address)));
  const staying = traced.filter((each) => !isTaken(each) && !isGone(each));
  const others = elsewhere.map(({ address: what, provider }) => ({
    what,
    reason: `it is at the provider ${provider}: adopt it with --provider ${provider}, and that server's address`,
  }));
  return {
    tool,
    forgotten: forgotten.map(({ old, whole, records }) => ({
      old,
      ...(whole && { whole }),
      waits: records.some(({ key = "" }) => (byKey.get(key)?.hidden.length ?? 0) > 0),
    })),
    staying: [
      ...staying.map((each) => ({
        what: each.old.address,
        reason: [reasonOf(each, found, byKey), ...holding(each, found), ...referring(each.old, leaves)].join("; "),
      })),
      ...others,
    ],
    gone: traced.filter(isGone).map(({ old, records }) => ({
      what: old.address,
      reason: `the server has no ${records.map(({ id }) => id).join(" and no ")}`,
    })),
  };
}

/** Why not all of its records are in the program. */
function reasonOf(
  { reason, whole, records }: TracedResource,
  { leftOut, unread }: Found,
  byKey: ReadonlyMap<string, FoundRecord>,
): string {
  if (reason !== undefined) return reason;
  if (whole) return `it is a part of ${whole.address}, which stays`;
  const missing = records.filter(({ key, isGone }) => !isGone && !byKey.has(key ?? ""));
  const reasons = missing.map((record) => {
    const about = [...leftOut, ...unread].find(({ key }) => key === (record.key ?? keyOf(record)));
    return about?.reason ?? "--include or --exclude leaves it out";
  });
  const both = records.flatMap(({ key = "", id }) => (byKey.has(key) ? [id] : []));
  return [
    ...new Set(reasons),
    ...(both.length > 0
      ? [`this program has ${both.join(" and ")} of it, and so have both until it is forgotten`]
      : []),
  ].join("; ");
}

/** What is in it, and in the new program: who deletes the mount deletes its roles. */
function holding({ records }: TracedResource, found: Found): string[] {
  const keys = new Set(records.map((record) => record.key ?? keyOf(record)));
  const inside = found.records.filter(({ place: { giver } }) => giver !== undefined && keys.has(keyOf(giver)));
  const counts = [...Map.groupBy(inside, ({ definition }) => classOf(definition))].map(
    ([name, { length }]) => `${length} ${name}`,
  );
  return counts.length > 0 ? [`the old plan would destroy it with ${counts.join(" and ")} of this program`] : [];
}

function referring({ dependencies }: OldResource, leaves: ReadonlySet<string>): string[] {
  const names = dependencies.filter((each) => leaves.has(each));
  return names.length > 0
    ? [`it refers to ${names.join(" and ")}, which is forgotten: write the values in its place, and apply that before`]
    : [];
}
