import type { RowValues } from "../../core/definition";
import { type Field, required, row } from "../../core/field";
import { string, stringList } from "../../core/rows";
import { isRecord } from "../../core/unknowns";
import { meta, partition, peeringId } from "../../resources/cluster/peer";

/** What a cluster says of a peering. */
export const peeringRows = {
  /** Name of the peer. @source consul/peering read */
  peerName: required(string("Name")),
  /** Admin partition, Enterprise only. @source consul/peering read */
  partition: partition(),
  /** Id of the peering record. @source consul/peering read */
  peeringId: peeringId(),
  /** State such as `PENDING`, `ESTABLISHING`, `ACTIVE`, `FAILING`, `TERMINATED` or `DELETING`; it lags up to five seconds. @source consul/peering read */
  state: required(string("State")),
  /** Key/value pairs kept with the peering. @source consul/peering read */
  meta: meta(),
  /** When it was marked for deletion, as an RFC 3339 time. @source consul/peering read */
  deletedAt: string("DeletedAt"),
  /** Id of the record on the cluster that issued the token; only the other one has it. @source consul/peering read */
  remotePeeringId: string("PeerID"),
  /** Certificates of the peer's authorities, PEM. @source consul/peering read */
  peerCaPems: stringList("PeerCAPems"),
  /** Name of the servers that are dialed. @source consul/peering read */
  peerServerName: string("PeerServerName"),
  /** Addresses `host:port` that are dialed. @source consul/peering read */
  peerServerAddresses: stringList("PeerServerAddresses"),
  /** Datacenter of the peer, once it is known. @source consul/peering read */
  remoteDatacenter: inside<string>("Remote", "Datacenter"),
  /** Services that the peer exports to this cluster. @source consul/peering read */
  importedServices: inside<string[]>("StreamStatus", "ImportedServices"),
  /** Services that this cluster exports to the peer. @source consul/peering read */
  exportedServices: inside<string[]>("StreamStatus", "ExportedServices"),
  /** When the peer was last alive, as an RFC 3339 time. @source consul/peering read */
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
