import type { Cluster } from "./cluster";
import { removeMarked } from "./delete-peering";

/** Goes on with what the last run of this cluster left: deletions, and the streams of dialers. */
export function resumePeerings(cluster: Cluster): void {
  for (const record of cluster.store.list()) {
    if (record.state === "DELETING") removeMarked(cluster, record);
    else if (record.state === "ESTABLISHING") cluster.dial(record.id);
  }
}
