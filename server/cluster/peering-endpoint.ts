import { isUtf8 } from "node:buffer";
import { goQuoted } from "../framework/go-quoted";
import { blockingQuery, parseBlockingQuery, type Snapshot } from "./blocking-query";
import type { Cluster } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";
import { type Answer, consulResponse, refusalResponse } from "./consul-response";
import { deletePeering } from "./delete-peering";
import { peeringBody } from "./peering-body";
import { assertPeeringEnabled, partitionOf } from "./peering-rules";
import type { PeeringPlace } from "./peering-store";

/** `/v1/peering/{name}`: GET and DELETE. */
export async function peeringEndpoint(
  cluster: Cluster,
  request: Request,
  { path }: { readonly path: string },
): Promise<Response> {
  const name = decodedPath(path.slice("/v1/peering/".length));
  // Before the method is looked at, as in Consul.
  if (name === "") throw new ConsulRefusal(400, "Must specify a name to fetch.");
  const place = { name, partition: partitionOf(cluster, request) };
  assertPeeringEnabled(cluster);
  return request.method === "DELETE" ? removePeering(cluster, request, place) : readPeering(cluster, request, place);
}

/** `GET /v1/peerings`. */
export async function peeringsEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const partition = partitionOf(cluster, request);
  assertPeeringEnabled(cluster);
  const response = await answerQuery(cluster, request, () => ({
    value: cluster.store.list(partition).map((record) => peeringBody(record, cluster.streams.statusOf(record.id))),
    index: cluster.store.tableIndex(),
  }));
  if (response.ok && cluster.filtersResults()) response.headers.set("x-consul-results-filtered-by-acls", "true");
  return response;
}

function readPeering(cluster: Cluster, request: Request, place: PeeringPlace): Promise<Response> {
  const look = () => {
    const record = cluster.store.find(place);
    if (record === undefined) return { index: cluster.store.tableIndex() };
    return { value: peeringBody(record, cluster.streams.statusOf(record.id)), index: record.modifyIndex };
  };
  return answerQuery(cluster, request, look, `Peering not found for ${goQuoted(place.name)}`);
}

/** Succeeds whether the peering exists, is being deleted already or never was. */
function removePeering(cluster: Cluster, request: Request, place: PeeringPlace): Response {
  cluster.authorize(request, "peering:write");
  deletePeering(cluster, place);
  return consulResponse(request, {});
}

async function answerQuery(
  cluster: Cluster,
  request: Request,
  look: () => Snapshot<unknown>,
  absentText = "",
): Promise<Response> {
  const query = parseBlockingQuery(request.url);
  try {
    cluster.authorize(request, "peering:read");
    const { nextChange } = cluster.store;
    const { value, index } = await blockingQuery({ query, look, nextChange, signal: request.signal });
    if (value === undefined) throw new ConsulRefusal(404, absentText);
    const answer: Answer = { body: value, headers: queryHeaders(index) };
    return consulResponse(request, query.complaint === undefined ? answer : { ...answer, complaint: query.complaint });
  } catch (error) {
    return refusalResponse(error, query.complaint);
  }
}

/** The headers of an answer that could have blocked. */
export function queryHeaders(index: number): Record<string, string> {
  return {
    "x-consul-index": String(index),
    "x-consul-knownleader": "true",
    "x-consul-lastcontact": "0",
    "x-consul-query-backend": "blocking-query",
  };
}

/** Percent-decoded once, slashes included. */
function decodedPath(path: string): string {
  const hexDecoded = path.replace(/%(..)/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const bytes = Buffer.from(hexDecoded, "latin1");
  // Consul's own words, asked of 1.22.0: the name fails on its way to the leader.
  if (!isUtf8(bytes)) throw new ConsulRefusal(500, "grpc: error while marshaling: string field contains invalid UTF-8");
  return bytes.toString("utf8");
}
