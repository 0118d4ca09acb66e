import { compareBytes } from "../framework/go-format";
import type { StreamStatus } from "./peer-streams";
import type { PeeringRecord } from "./peering-store";

/** A stored peering as GET shows it: the keys in their order, empty ones left out. */
export function peeringBody(record: PeeringRecord, stream: StreamStatus | undefined): Record<string, unknown> {
  const { Partition, Datacenter, Locality } = record.remote;
  return {
    ID: record.id,
    Name: record.name,
    ...omitEmpty({ Partition: record.partition }),
    ...(record.deletedMs === undefined ? {} : { DeletedAt: goTimestamp(new Date(record.deletedMs)) }),
    ...(Object.keys(record.meta).length === 0 ? {} : { Meta: sortedByKey(record.meta) }),
    State: stateShown(record, stream),
    ...omitEmpty({
      PeerID: record.peerId,
      PeerCAPems: record.peerCaPems,
      PeerServerName: record.peerServerName,
      PeerServerAddresses: record.peerServerAddresses,
    }),
    StreamStatus: {
      ImportedServices: null,
      ExportedServices: null,
      LastHeartbeat: goTimestamp(stream?.lastHeartbeat),
      LastReceive: goTimestamp(stream?.lastReceive),
      LastSend: goTimestamp(stream?.lastSend),
    },
    CreateIndex: record.createIndex,
    ModifyIndex: record.modifyIndex,
    Remote: { Partition, Datacenter, ...(Locality === null ? {} : { Locality }) },
  };
}

/** The stream wins over what is stored, also over DELETING. */
function stateShown({ state }: PeeringRecord, stream: StreamStatus | undefined): string {
  if (stream?.connected) return "ACTIVE";
  return stream?.lost ? "FAILING" : state;
}

function omitEmpty(members: Readonly<Record<string, string | readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value.length > 0));
}

/** Go prints maps in the order of their keys' bytes. */
function sortedByKey(map: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => compareBytes(a, b)));
}

/** Go drops the zeros at the end of a fraction. */
function goTimestamp(date: Date | undefined): string | null {
  return date?.toISOString().replace(/\.?0*Z$/, "Z") ?? null;
}
