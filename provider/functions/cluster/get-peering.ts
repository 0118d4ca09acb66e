import { defineFunction } from "../../core/function";
import { inPath } from "../../core/rows";
import { peerName, withoutDefaultPartition } from "../../resources/cluster/peer";
import { peeringRows } from "./found-peering";

const fields = {
  /** Name of the peer. @source consul/peering read */
  peerName: inPath(peerName()),
};

export const clusterGetPeering = defineFunction({
  token: "cluster:getPeering",
  dialect: "consul",
  fields,
  results: peeringRows,
  label: "peerName",
  rewrite: (args) => withoutDefaultPartition(args),
  request: () => ({ method: "GET", path: "v1/peering/{peerName}" }),
});
