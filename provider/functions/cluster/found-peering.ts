import type { RowValues } from "../../core/field";
import { type Field, required, row } from "../../core/field";
import { string, stringList } from "../../core/rows";
import { partition } from "../../core/tenant";
import { isRecord } from "../../core/unknowns";
import { meta } from "../../resources/cluster/meta";
import { peeringId } from "../../resources/cluster/peer";

/** What a cluster shows of a peering. */
export const peeringRows = {
  /** Name of the peer. @source consul/peering read */
  peerName: required(string("Name")),
  /** Admin partition, Enterprise only. @source consul/peering read */
  partition: { ...partition(), place: "body", wire: "Partition" } as Field<string, false>,
  /** Id of the peering record. @source consul/peering read */
  peeringId: peeringId(),
  /** State such as `PENDING`, `ESTABLISHING`, `ACTIVE`, `FAILING`, `TERMINATED` or `DELETING`. It can be five seconds old. @source consul/peering read */
  state: required(string("State")),
  /** Metadata of the peering, key to value. @source consul/peering read */
  meta: meta(),
  /** Time at which the peering was marked for deletion (RFC 3339). @source consul/peering read */
  deletedAt: string("DeletedAt"),
  /** Id of the record on the cluster that issued the token. Only the cluster that used the token shows it. @source consul/peering read */
  remotePeeringId: string("PeerID"),
  /** PEM certificates of the peer's certificate authorities. @source consul/peering read */
  peerCaPems: stringList("PeerCAPems"),
  /** TLS server name of the peer's servers. @source consul/peering read */
  peerServerName: string("PeerServerName"),
  /** Addresses `host:port` of the peer's servers. @source consul/peering read */
  peerServerAddresses: stringList("PeerServerAddresses"),
  /** Datacenter of the peer. Unset until it is known. @source consul/peering read */
  remoteDatacenter: inside<string>("Remote", "Datacenter"),
  /** Services that the peer exports to this cluster. @source consul/peering read */
  importedServices: inside<string[]>("StreamStatus", "ImportedServices"),
  /** Services that this cluster exports to the peer. @source consul/peering read */
  exportedServices: inside<string[]>("StreamStatus", "ExportedServices"),
  /** Time of the last heartbeat of the peer (RFC 3339). @source consul/peering read */
  lastHeartbeat: inside<string>("StreamStatus", "LastHeartbeat"),
};

/** A peering, as its cluster shows it. */
export interface FoundPeering extends RowValues<typeof peeringRows> {}

/** A member of a member. An empty value is unset. */
function inside<Value>(wire: string, member: string): Field<Value, false> {
  return row<Value>({
    place: "body",
    wire,
    // Programs never write it.
    schema: undefined as never,
    decode: (record) => (isRecord(record) ? ((record[member] || undefined) as Value | undefined) : undefined),
  });
}
