import { definePath, listing, type Path } from "../framework/backend";
import { compareBytes } from "../framework/go-format";
import { rfc3339 } from "../framework/go-time";
import { Refusal } from "../framework/refusal";
import type { Lease, LeaseStore } from "../secrets/lease-store";

const leaseFields = { lease_id: "string", url_lease_id: "string" } as const;
const byPath = "(?:/(?<url_lease_id>.+))?";

/** Paths that need `sudo`: those that reach more than one known lease. */
export const leaseSudoPaths = ["", "leases/"].flatMap((root) => [`${root}revoke-prefix/*`, `${root}revoke-force/*`]);

/** `sys/leases`: look up, list, renew and revoke. */
export function leasePaths({ leases, now }: { leases: LeaseStore; now: () => Date }): readonly Path[] {
  return [
    definePath({
      pattern: "leases/lookup/(?<prefix>.*)",
      fields: { prefix: "string" },
      operations: { list: ({ data }) => listing(namesBelow(leases.ids(), data.get("prefix"))) },
    }),
    definePath({
      pattern: "leases/lookup",
      fields: { lease_id: "string" },
      operations: {
        update: ({ data }) => {
          const id = given(data.get("lease_id"));
          const lease = leases.find(id);
          if (lease === undefined) throw new Refusal("invalid lease");
          return { data: { ...shown(lease, now()), renewable: leases.isRenewable(lease) } };
        },
      },
    }),
    definePath({
      pattern: `(?:leases/)?renew${byPath}`,
      fields: { ...leaseFields, increment: "durationSecond" },
      operations: {
        update: ({ data }) =>
          leases.renew(given(data.get("lease_id") || data.get("url_lease_id")), data.get("increment")),
      },
    }),
    definePath({
      pattern: `(?:leases/)?revoke${byPath}`,
      fields: { ...leaseFields, sync: { type: "bool", default: true } },
      operations: {
        update: ({ data }) => {
          leases.revoke(given(data.get("lease_id") || data.get("url_lease_id")));
          return whenSync(data.get("sync"));
        },
      },
    }),
    definePath({
      pattern: "(?:leases/)?revoke-force/(?<prefix>.+)",
      fields: { prefix: "string" },
      operations: {
        update: ({ data }) => {
          leases.revokePrefix(data.get("prefix"), { isForced: true });
          return undefined;
        },
      },
    }),
    definePath({
      pattern: "(?:leases/)?revoke-prefix/(?<prefix>.+)",
      fields: { prefix: "string", sync: { type: "bool", default: true } },
      operations: {
        update: ({ data }) => {
          leases.revokePrefix(data.get("prefix"));
          return whenSync(data.get("sync"));
        },
      },
    }),
  ];
}

/** The work is done at once, but the status is 202, as if it were done later. */
function whenSync(isSync: boolean) {
  return isSync ? undefined : { emptyStatus: 202 };
}

function given(id: string): string {
  if (id === "") throw new Refusal("lease_id must be specified");
  return id;
}

function shown({ id, issuedMs, expiresMs, renewedMs }: Lease, now: Date): Record<string, unknown> {
  return {
    id,
    issue_time: rfc3339(new Date(issuedMs)),
    expire_time: rfc3339(new Date(expiresMs)),
    last_renewal: renewedMs === undefined ? null : rfc3339(new Date(renewedMs)),
    ttl: Math.trunc((expiresMs - Math.round(now.getTime() / 1000) * 1000) / 1000),
  };
}

/** The next path segment of every id below a prefix; one with more below it ends in `/`. */
function namesBelow(ids: readonly string[], prefix: string): readonly string[] {
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const names = ids
    .filter((id) => id.startsWith(folder))
    .map((id) => {
      const [first = "", ...deeper] = id.slice(folder.length).split("/");
      return deeper.length > 0 ? `${first}/` : first;
    });
  return [...new Set(names)].sort(compareBytes);
}
