import { isEmpty, picked } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { listOf } from "../trust/sentences";
import type { MapGraph, Place } from "./map-graph";
import type { PlacedRecord } from "./placed-records";

/** Peers, and the services that they and others may use. */
export function addClusters(graph: MapGraph, records: readonly PlacedRecord[]): void {
  for (const { definition, values, place, resource } of records) {
    const { token } = definition;
    if (token === definitions.clusterPeering.token || token === definitions.clusterPeeringToken.token)
      graph.node("peer", String(values["peerName"]), place, { resource });
    else if (token === definitions.clusterPeeredClusters.token)
      for (const side of ["acceptor", "dialer"]) {
        const own = placeOfSide(values, side, place);
        const facts = [`It is the ${side === "acceptor" ? "dialer" : "acceptor"} of the peering.`];
        graph.node("peer", String(values[`${side}PeerName`]), own, { facts, resource });
      }
    else if (token === definitions.clusterExportedServices.token)
      for (const service of recordsIn(values["services"])) addExport(graph, service, { place, resource });
    else if (token === definitions.clusterIntention.token) addIntention(graph, { values, place, resource });
  }
}

type Placed = Pick<PlacedRecord, "place" | "resource">;

function addExport(graph: MapGraph, service: Values, { place, resource }: Placed): void {
  const node = serviceNode(graph, service, { place, resource });
  for (const { peer, partition, samenessGroup } of recordsIn(service["consumers"])) {
    const from = !isEmpty(peer)
      ? graph.node("peer", String(peer), place)
      : graph.node("caller", isEmpty(partition) ? `sameness group ${samenessGroup}` : `partition ${partition}`, place);
    graph.edge(from, node, { bounds: [{ property: "services", text: "exported" }] });
  }
}

function addIntention(graph: MapGraph, { values, place, resource }: Placed & { readonly values: Values }): void {
  const { destination, namespace } = values;
  const node = serviceNode(graph, { name: destination, namespace }, { place, resource });
  for (const source of recordsIn(values["sources"])) {
    const who = callerName(source);
    if (source["action"] === "deny") {
      graph.node("service", serviceName({ name: destination, namespace }), place, { facts: [`It denies ${who}.`] });
      continue;
    }
    const from = isEmpty(source["peer"])
      ? graph.node("caller", who, place)
      : graph.node("peer", String(source["peer"]), place);
    const bounds = [
      ...(isEmpty(source["peer"]) ? [] : [{ property: "sources", text: `service ${who}` }]),
      ...(isEmpty(source["permissions"]) ? [] : [{ property: "permissions", text: "some HTTP requests only" }]),
      ...(isEmpty(values["jwt"]) ? [] : [{ property: "jwt", text: "with a token" }]),
    ];
    graph.edge(from, node, { bounds });
  }
}

function serviceNode(graph: MapGraph, service: Values, { place, resource }: Placed): string {
  const facts = service["name"] === "*" ? ["Every service is meant, those of the future too."] : [];
  return graph.node("service", serviceName(service), place, { facts, resource });
}

/** The server compares names of services in lower case. */
function serviceName({ name, namespace }: Values): string {
  const own = isEmpty(namespace) || namespace === "default" ? "" : `${String(namespace)}/`;
  return `${own}${String(name).toLowerCase()}`;
}

function callerName(source: Values): string {
  const { partition, samenessGroup } = source;
  const own = serviceName(picked(source, ["name", "namespace"]));
  if (!isEmpty(samenessGroup)) return `${own} of sameness group ${String(samenessGroup)}`;
  return isEmpty(partition) ? own : `${own} of partition ${String(partition)}`;
}

/** Each side of a pair has a connection and a partition of its own. */
function placeOfSide(values: Values, side: string, { provider }: Place): Place {
  const [connection, partition] = [values[`${side}Connection`], values[`${side}Partition`]];
  return {
    ...(isEmpty(connection) ? {} : { connection: String(connection) }),
    ...(isEmpty(partition) || partition === "default" ? {} : { partition: String(partition) }),
    ...(provider === undefined ? {} : { provider }),
  };
}

function recordsIn(value: unknown): readonly Values[] {
  return listOf(value).filter(isRecord);
}
