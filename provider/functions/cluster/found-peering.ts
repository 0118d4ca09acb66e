import type { RowValues } from "../../core/definition";
import { type Field, required, row } from "../../core/field";
import { string, stringList } from "../../core/rows";
import { isRecord } from "../../core/unknowns";
import { meta, partition, peeringId } from "../../resources/cluster/peer";

/** What a cluster says of a peering. */
export const peeringRows = {
  /** Name of the peer. (Document 2, Peering connection.) */
  peerName: required(string("Name")),
  /** Admin partition, Enterprise only. (Document 2, Peering connection.) */
  partition: partition(),
  /** Id of the peering record. (Reference, cluster B.7.) */
  peeringId: peeringId(),
  /** State such as `PENDING`, `ESTABLISHING`, `ACTIVE`, `FAILING`, `TERMINATED` or `DELETING`; it lags up to five seconds. (Reference, cluster B.10.) */
  state: required(string("State")),
  /** Key/value pairs kept with the peering. (Document 2, Peering connection.) */
  meta: meta(),
  /** When it was marked for deletion, as an RFC 3339 time. (Reference, cluster B.7.) */
  deletedAt: string("DeletedAt"),
  /** Id of the record on the cluster that issued the token; only the other one has it. (Reference, cluster B.7.) */
  remotePeeringId: string("PeerID"),
  /** Certificates of the peer's authorities, PEM. (Reference, cluster B.7.) */
  peerCaPems: stringList("PeerCAPems"),
  /** Name of the servers that are dialed. (Reference, cluster B.7.) */
  peerServerName: string("PeerServerName"),
  /** Addresses `host:port` that are dialed. (Reference, cluster B.7.) */
  peerServerAddresses: stringList("PeerServerAddresses"),
  /** Datacenter of the peer, once it is known. (Reference, cluster B.7.) */
  remoteDatacenter: inside<string>("Remote", "Datacenter"),
  /** Services that the peer exports to this cluster. (Reference, cluster B.7.) */
  importedServices: inside<string[]>("StreamStatus", "ImportedServices"),
  /** Services that this cluster exports to the peer. (Reference, cluster B.7.) */
  exportedServices: inside<string[]>("StreamStatus", "ExportedServices"),
  /** When the peer was last alive, as an RFC 3339 time. (Reference, cluster B.7.) */
  lastHeartbeat: inside<string>("StreamStatus", "LastHeartbeat"),
};

/** A peering as its cluster shows it. */
export interface FoundPeering extends RowValues<typeof peeringRows> {}

/** A member of a member; empty is unset. */
function inside<Value>(wire: string, member: string): Field<Value, false> {
  return row<Value>({
    place: "body",
    wire,
    // Nobody writes it.
    schema: undefined as never,
    decode: (record) => (isRecord(record) ? ((record[member] || undefined) as Value | undefined) : undefined),
  });
}
