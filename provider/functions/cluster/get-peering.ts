import { defineFunction } from "../../core/function";
import { inPath } from "../../core/rows";
import { peerName } from "../../resources/cluster/peer";
import { partition, withoutDefaultPlace } from "../../resources/cluster/place";
import { peeringRows } from "./found-peering";

const fields = {
  /** Name of the peer. @source consul/peering read */
  peerName: inPath(peerName()),
  /** Admin partition, Enterprise only; `default` is the same as none. @source consul/peering read */
  partition: inPath(partition()),
};

export const clusterGetPeering = defineFunction({
  token: "cluster:getPeering",
  dialect: "consul",
  fields,
  results: peeringRows,
  label: "peerName",
  rewrite: (args) => withoutDefaultPlace(args),
  request: () => ({ method: "GET", path: "v1/peering/{peerName}[?partition={partition}]" }),
});
