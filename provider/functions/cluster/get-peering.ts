import { defineFunction } from "../../core/function";
import { inPath } from "../../core/rows";
import { peerName } from "../../resources/cluster/peer";
import { withoutDefaultPlace } from "../../resources/cluster/place";
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
  rewrite: (args) => withoutDefaultPlace(args),
  request: () => ({ method: "GET", path: "v1/peering/{peerName}" }),
});
