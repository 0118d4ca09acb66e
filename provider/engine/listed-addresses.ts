import { isEmpty } from "../core/canonical";
import type { Definition, Values, WireRecord } from "../core/definition";
import { trimSlashes } from "../core/rows";
import { isRecord } from "../core/unknowns";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";

/** The address of each record of a list, without records that the server itself made or is about to delete. */
export function addressesIn({ token, label, dialect, read, stage }: Definition, list: unknown): Values[] {
  const records = (Array.isArray(list) ? list.filter(isRecord) : []).filter(
    (record) => stage?.(record, {})?.is !== "leaving",
  );
  if (token === "policy:Parameter") return records.map(({ id, key }) => ({ parameterId: id, key }));
  if (token === "policy:PolicySet") return records.map(({ id, name }) => ({ policySetId: id, name }));
  if (dialect === "consul")
    return records.map(({ Name, Namespace, Partition }) => ({
      [label]: Name,
      namespace: Namespace,
      partition: Partition,
    }));
  if (token.startsWith("sys:") && read.pick) return mountsIn(list).map((path) => ({ path }));
  const { names }: Dialect = dialects[dialect];
  const found = names?.of(list) ?? [];
  return (token === "sys:Policy" ? found.filter((name) => !OWN_POLICIES.includes(name)) : found).map((name) => ({
    [label]: name,
  }));
}

/** Of kinds that share a list, whether a record of it is one of this kind. */
const IS_OF: Readonly<Record<string, (record: WireRecord) => boolean>> = {
  // Only the side that uses a token knows the servers of the other one.
  "cluster:Peering": ({ PeerServerAddresses }) => !isEmpty(PeerServerAddresses),
  "cluster:PeeringToken": ({ PeerServerAddresses }) => isEmpty(PeerServerAddresses),
};

export function isOfKind({ token }: Definition, record: WireRecord): boolean {
  return IS_OF[token]?.(record) ?? true;
}

function mountsIn(list: unknown): string[] {
  return Object.entries(isRecord(list) ? list : {})
    .filter(([, mount]) => isRecord(mount) && !OWN_MOUNTS.includes(String(mount["type"])))
    .map(([path]) => trimSlashes(path));
}

/** Types that every server mounts itself, Enterprise (`ns_`) included. */
const OWN_MOUNTS = ["cubbyhole", "identity", "system", "token", "ns_system", "ns_identity", "ns_cubbyhole", "ns_token"];

/** Policies that every server has. Vault lists the first two. */
const OWN_POLICIES = ["default", "root", "response-wrapping", "control-group"];
