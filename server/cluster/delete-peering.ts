import type { Cluster } from "./cluster";
import { pause } from "./pause";
import { markedPeering, type PeeringPlace, type PeeringRecord } from "./peering-store";

/** Marks a peering and removes it in the background; one that is marked already stays as it is. */
export function deletePeering(cluster: Cluster, place: PeeringPlace): void {
  const { store, clock } = cluster;
  const record = store.find(place);
  if (record === undefined || record.state === "DELETING") return;
  removeMarked(cluster, store.write(markedPeering(record, { typedName: place.name, deletedMs: clock().getTime() })));
}

/** Removes a marked peering when its turn has come. */
export function removeMarked({ store, streams, ...cluster }: Cluster, marked: PeeringRecord): void {
  const remove = () => {
    if (cluster.closing.aborted) return;
    store.remove(marked);
    // Not earlier: the other side, and a read here, must see a working peering until the record is removed.
    streams.terminate(marked.id);
  };
  const delayMs = cluster.deletionDelayMs();
  // Without a delay nobody can see the marked record: then a slow client sends the same requests as a fast one.
  if (delayMs === 0) remove();
  else void pause(delayMs, cluster.closing).then(remove);
}
