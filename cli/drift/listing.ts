import type { Definition, Values } from "../../provider/core/definition";
import { isRecord } from "../../provider/core/unknowns";
import { dialects } from "../../provider/dialects";
import type { Dialect } from "../../provider/dialects/dialect";

/** The address of each record of a list, without records that the server itself made or is about to delete. */
export function addressesIn({ token, label, dialect, stage }: Definition, list: unknown): Values[] {
  const records = (Array.isArray(list) ? list.filter(isRecord) : []).filter(
    (record) => stage?.(record, {})?.is !== "leaving",
  );
  if (token === "policy:Parameter") return records.map(({ id, key }) => ({ parameterId: id, key }));
  if (token.startsWith("cluster:"))
    return records.map(({ Name, Partition }) => ({ peerName: Name, partition: Partition }));
  if (token.startsWith("sys:")) return mountsIn(list).map((path) => ({ path }));
  const { names }: Dialect = dialects[dialect];
  return (names?.of(list) ?? []).map((name) => ({ [label]: name }));
}

function mountsIn(list: unknown): string[] {
  return Object.entries(isRecord(list) ? list : {})
    .filter(([, mount]) => isRecord(mount) && !OWN_MOUNTS.includes(String(mount["type"])))
    .map(([path]) => path.replace(/\/$/, ""));
}

/** Types that every server mounts itself, Enterprise (`ns_`) included. */
const OWN_MOUNTS = ["cubbyhole", "identity", "system", "token", "ns_system", "ns_identity", "ns_cubbyhole", "ns_token"];
