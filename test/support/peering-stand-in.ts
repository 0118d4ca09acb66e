import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "./loopback-server.ts";

/** A cluster of a few lines, whose peering is in the state that a test wants: a real one gets there by chance, or late. */
export interface StandIn {
  readonly address: string;
  /** Configuration of a program on it; `east` and `west` lead to it as well. */
  readonly config: Readonly<Record<string, string>>;
  readonly seen: readonly string[];
}

/** A record as a cluster answers it, and a token, as it answers that to a POST. */
export function peeringIn(State: string, more: Readonly<Record<string, unknown>> = {}) {
  return { ID: "id", Name: "east", State, PeeringToken: standInToken, ...more };
}

/** A token in form: the stand-in takes any. */
export const standInToken = Buffer.from(
  JSON.stringify({
    CA: [],
    ServerAddresses: ["127.0.0.1:1"],
    ServerName: "other",
    PeerID: "other",
    EstablishmentSecret: "any",
  }),
).toString("base64");

/** The token with which it is the cluster that issues the peering's token; with any other, it is the one that dials. */
const ISSUES = "issues";

function shown({ headers }: IncomingMessage, record: object | "no leader" | undefined) {
  if (typeof record !== "object" || headers["x-consul-token"] === ISSUES) return record;
  return { ...record, PeerServerAddresses: ["127.0.0.1:1"] };
}

/** A cluster that has the peering which `current` answers, if any, or that chooses its leader. */
export async function openStandIn(
  current: (request: IncomingMessage) => object | "no leader" | undefined,
): Promise<StandIn> {
  const seen: string[] = [];
  const { origin } = await serve((request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "", "http://consul");
    if (pathname === "/v1/connect/ca/roots") return void response.end('{"TrustDomain":"trust.consul"}');
    seen.push(`${request.method} ${pathname}`);
    const record = shown(request, current(request));
    if (record === "no leader") return void response.writeHead(500).end("No cluster leader");
    if (request.method === "DELETE") return void response.end();
    if (pathname === "/v1/peerings") return void response.end(JSON.stringify(record ? [record] : []));
    response.writeHead(record ? 200 : 404).end(record ? JSON.stringify(record) : 'Peering not found for "east"');
  });
  const entry = { address: origin, token: "any" };
  const named = { service: "cluster", ...entry };
  const connections = { east: { ...named, token: ISSUES }, west: named };
  const config = { cluster: JSON.stringify(entry), connections: JSON.stringify(connections) };
  return { address: origin, config, seen };
}
