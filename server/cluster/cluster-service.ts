import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { createAccess } from "./access";
import { aclPolicyEndpoint, aclTokenEndpoint } from "./acl-endpoint";
import { createAclStore } from "./acl-store";
import { agentSelf, agentVersion } from "./agent-self";
import { createCertificateAuthority } from "./certificate-authority";
import type { Cluster } from "./cluster";
import { consulResponse, refusalResponse, textResponse, wrapped } from "./consul-response";
import { establishPeering } from "./establish-peering";
import { issueToken } from "./issue-token";
import { peeringBody } from "./peering-body";
import { peeringEndpoint, peeringsEndpoint, queryHeaders } from "./peering-endpoint";
import { createPeeringStore, firstIndex, type PeeringRecord } from "./peering-store";
import { redirectTarget } from "./redirect-target";

export interface ClusterServiceOptions {
  /** The management token: may do everything. */
  readonly token: string;
  /** @default "dc1" */
  readonly datacenter?: string;
  /** What tokens name as the address of this cluster's servers. @default "127.0.0.1:8503" */
  readonly serverAddress?: string;
  /** Whether the servers' configuration allows peerings. @default true */
  readonly peeringEnabled?: boolean;
  /** How long a deleted peering still reads as DELETING. @default 50 */
  readonly deleteDelayMs?: number;
  readonly clock?: () => Date;
}

export interface ClusterService {
  fetch(request: Request, info: { remoteAddress: string }): Response | Promise<Response>;
  /** The stored records, write-only values included, keyed by path. */
  records(): Record<string, unknown>;
}

interface Route {
  readonly path: string;
  readonly methods: readonly string[];
  readonly answer: (cluster: Cluster, request: Request) => Response | Promise<Response>;
}

/** The first route that matches wins, so peers called `token` and `establish` are out of reach (reference B.1.3). */
const routes: readonly Route[] = [
  {
    path: "/v1/peering/token",
    methods: ["POST"],
    answer: async (cluster, request) => consulResponse(request, { body: await issueToken(cluster, request) }),
  },
  {
    path: "/v1/peering/establish",
    methods: ["POST"],
    answer: async (cluster, request) => consulResponse(request, { body: await establishPeering(cluster, request) }),
  },
  { path: "/v1/peering/*", methods: ["GET", "DELETE"], answer: peeringEndpoint },
  { path: "/v1/peerings", methods: ["GET"], answer: peeringsEndpoint },
  {
    // Like the next one, this answers anyone, even an unknown token [asked of Consul 1.22.0 with default policy deny].
    path: "/v1/connect/ca/roots",
    methods: ["GET"],
    answer: ({ authority }, request) =>
      consulResponse(request, { body: authority.roots(firstIndex), headers: queryHeaders(firstIndex) }),
  },
  {
    path: "/v1/status/leader",
    methods: ["GET"],
    answer: (_cluster, request) => consulResponse(request, { body: "127.0.0.1:8300" }),
  },
  {
    path: "/v1/agent/self",
    methods: ["GET"],
    answer: (cluster, request) => {
      cluster.authorize(request, "agent:read");
      return consulResponse(request, { body: agentSelf(cluster) });
    },
  },
  {
    path: "/v1/agent/version",
    methods: ["GET"],
    answer: (_cluster, request) => consulResponse(request, { body: agentVersion }),
  },
  { path: "/v1/acl/policy", methods: ["PUT"], answer: aclPolicyEndpoint },
  { path: "/v1/acl/token", methods: ["PUT"], answer: aclTokenEndpoint },
];

/** The cluster peering API of Consul (document 2 part B, reference part B), in memory. */
export function createClusterService(options: ClusterServiceOptions): ClusterService {
  const {
    datacenter = "dc1",
    serverAddress = "127.0.0.1:8503",
    peeringEnabled = true,
    deleteDelayMs = 50,
    clock = () => new Date(),
  } = options;
  const nodeName = datacenter;
  const acl = createAclStore();
  const cluster: Cluster = {
    datacenter,
    serverAddress,
    peeringEnabled,
    nodeName,
    nodeId: randomUUID(),
    clock,
    acl,
    authorize: createAccess({ token: options.token, acl, nodeName }),
    authority: createCertificateAuthority({ now: clock() }),
    store: createPeeringStore({ deleteDelayMs }),
  };
  const app = new Hono();
  app.notFound(() => textResponse(404, "Invalid URL path: not a recognized HTTP API endpoint\n"));
  for (const route of routes) {
    app.all(route.path, async ({ req }) => wrapped(req.raw, await answerRoute(route, cluster, req.raw)));
  }
  return {
    fetch: (request) => strayResponse(request) ?? app.fetch(request),
    records: () => Object.fromEntries(cluster.store.list().map((record) => [`peering/${record.name}`, stored(record)])),
  };
}

/** Answers that Go's HTTP server gives before any endpoint is found (reference B.1). */
function strayResponse(request: Request): Response | undefined {
  const { pathname, search } = new URL(request.url);
  if (/%(?![\da-fA-F]{2})/.test(pathname)) return textResponse(400, "400 Bad Request");
  // Consul refuses paths with characters that do not print, without a word.
  if (/%(?:[01][\da-fA-F]|7[fF])/.test(pathname)) return new Response(null, { status: 400 });
  const target = redirectTarget(pathname);
  if (target === undefined) return undefined;
  const location = `${target}${search}`;
  const hasBody = request.method === "GET" || request.method === "HEAD";
  const body = hasBody ? `<a href="${location.replaceAll("&", "&amp;")}">Moved Permanently</a>.\n\n` : null;
  const type: Record<string, string> = hasBody ? { "content-type": "text/html; charset=utf-8" } : {};
  return new Response(body, { status: 301, headers: { location, ...type } });
}

async function answerRoute({ methods, answer }: Route, cluster: Cluster, request: Request): Promise<Response> {
  const allow = ["OPTIONS", ...methods].join(",");
  if (request.method === "OPTIONS") return consulResponse(request, { headers: { allow } });
  if (!methods.includes(request.method)) return textResponse(405, `method ${request.method} not allowed`, { allow });
  try {
    return await answer(cluster, request);
  } catch (error) {
    return refusalResponse(error);
  }
}

function stored(record: PeeringRecord): Record<string, unknown> {
  const { manualServerAddresses, establishmentSecret } = record;
  return {
    ...peeringBody(record),
    ManualServerAddresses: manualServerAddresses,
    EstablishmentSecret: establishmentSecret,
  };
}
