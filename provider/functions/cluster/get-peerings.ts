import { required } from "../../core/field";
import { defineFunction, recordsOf } from "../../core/function";
import { withoutDefaultPlace } from "../../resources/cluster/place";
import { type FoundPeering, peeringRows } from "./found-peering";

const results = {
  /** All peerings, sorted by name. Peerings that are ended or being deleted are included. @source consul/peering list */
  peerings: required(recordsOf<FoundPeering>("peerings", peeringRows)),
};

export const clusterGetPeerings = defineFunction({
  token: "cluster:getPeerings",
  dialect: "consul",
  fields: {},
  results,
  rewrite: (args) => withoutDefaultPlace(args),
  unpack: (peerings) => ({ peerings }),
  request: () => ({ method: "GET", path: "v1/peerings" }),
});
