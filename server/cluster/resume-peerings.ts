import type { Cluster } from "./cluster";
import { removeMarked } from "./delete-peering";

/** Continues what the last run of this cluster did not finish: deletions, and the streams of dialers. */
export function resumePeerings(cluster: Cluster): void {
  for (const record of cluster.store.list()) {
    if (record.state === "DELETING") removeMarked(cluster, record);
    else if (record.state === "ESTABLISHING") cluster.dial(record.id);
  }
}
