import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { Hono } from "hono";
import { createMemoryTables, lastGiven, madeOnce, type Tables } from "../data/tables";
import { decodedPath, isPrintable } from "../framework/request-path";
import type { Incoming } from "../http/exchange";
import type { Tunnel } from "../http/listener";
import { type ClusterProfile, communityCluster } from "../profiles/cluster-profile";
import { tunnelOf } from "./accept-tunnel";
import { createAccess, mayDo, secretOf } from "./access";
import {
  aclPoliciesEndpoint,
  aclPolicyEndpoint,
  aclRoleEndpoint,
  aclTokenEndpoint,
  aclTokensEndpoint,
} from "./acl-endpoint";
import { createAclStore, managementToken } from "./acl-store";
import { agentSelf, agentVersion } from "./agent-self";
import { authMethodEndpoint, authMethodsEndpoint } from "./auth-method-endpoint";
import { createAuthMethodStore } from "./auth-method-store";
import { bindingRuleEndpoint, bindingRulesEndpoint } from "./binding-rule-endpoint";
import { createCertificateAuthority } from "./certificate-authority";
import type { Cluster } from "./cluster";
import { configEndpoint, configWriteEndpoint } from "./config-endpoint";
import { type ConfigEntry, createConfigEntryStore, shownEntry } from "./config-entry-store";
import { consulResponse, refusalResponse, textResponse, wrapped } from "./consul-response";
import { createDeletionPace } from "./deletion-pace";
import { establishPeering } from "./establish-peering";
import type { ExchangePace } from "./exchange-secret";
import { issueToken } from "./issue-token";
import { createDialling } from "./keep-dialling";
import { loginEndpoint, logoutEndpoint } from "./login-endpoint";
import { createPeerStreams } from "./peer-streams";
import { peeringBody } from "./peering-body";
import { peeringEndpoint, peeringsEndpoint, queryHeaders } from "./peering-endpoint";
import { createPeeringStore, firstIndex, type PeeringRecord } from "./peering-store";
import { redirectTarget } from "./redirect-target";
import { resumePeerings } from "./resume-peerings";

export interface ClusterServiceOptions {
  /** The management token: may do everything. */
  readonly token: string;
  /** The edition to imitate. @default the community edition */
  readonly profile?: ClusterProfile | undefined;
  /** @default that of the last start, else "dc1" */
  readonly datacenter?: string | undefined;
  /** Whether the servers' configuration allows peerings. @default true */
  readonly peeringEnabled?: boolean | undefined;
  /** How long a deleted peering still reads as DELETING. @default not at all for the first ten, then ten go in a second */
  readonly deleteDelayMs?: number | undefined;
  /** How often the ends of a stream let each other know that they are there. @default 15000 */
  readonly heartbeatMs?: number | undefined;
  /** How soon a stream that broke off is opened again. @default 1000 */
  readonly redialMs?: number | undefined;
  /** How long and how often an establishment tries to reach the other cluster. @default 3 s, every 150 ms */
  readonly exchangePace?: ExchangePace | undefined;
  /** How long another cluster may take to answer. @default 20000 */
  readonly handshakeMs?: number;
  readonly clock?: () => Date;
  readonly tables?: Tables;
}

export interface ClusterService {
  fetch(request: Request, info: Connection): Response | Promise<Response>;
  /** Where other clusters come in. */
  readonly tunnel: Tunnel;
  /** The stored records, write-only values included, keyed by path. */
  records(): Record<string, unknown>;
  /** Sets whether lists of peerings say that the ACLs hid some of them. */
  filterResults(isFiltered: boolean): void;
  /** Ends what runs in the background, and every connection with other clusters. */
  close(): void;
}

/** The path and method as they were sent, because `Request` changes some of them, and the address that took the request. */
export type Connection = Pick<Incoming, "localAddress" | "method" | "path">;

interface Route {
  readonly path: string;
  readonly methods: readonly string[];
  readonly answer: (cluster: Cluster, request: Request, connection: Connection) => Response | Promise<Response>;
}

/** The first route that matches wins, so peers called `token` and `establish` are out of reach. */
const routes: readonly Route[] = [
  {
    path: "/v1/peering/token",
    methods: ["POST"],
    answer: async (cluster, request, { localAddress }) =>
      consulResponse(request, { body: await issueToken(cluster, request, localAddress) }),
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
      cluster.authorize(request, "agent:read", cluster.nodeName);
      return consulResponse(request, { body: agentSelf(cluster) });
    },
  },
  {
    path: "/v1/agent/version",
    methods: ["GET"],
    answer: (cluster, request) => consulResponse(request, { body: agentVersion(cluster) }),
  },
  { path: "/v1/acl/policies", methods: ["GET"], answer: aclPoliciesEndpoint },
  { path: "/v1/config", methods: ["PUT"], answer: configWriteEndpoint },
  { path: "/v1/config/*", methods: ["GET", "DELETE"], answer: configEndpoint },
  { path: "/v1/acl/policy", methods: ["PUT"], answer: aclPolicyEndpoint },
  { path: "/v1/acl/policy/*", methods: ["GET", "PUT", "DELETE"], answer: aclPolicyEndpoint },
  { path: "/v1/acl/role", methods: ["PUT"], answer: aclRoleEndpoint },
  { path: "/v1/acl/token", methods: ["PUT"], answer: aclTokenEndpoint },
  { path: "/v1/acl/token/*", methods: ["GET", "PUT", "DELETE"], answer: aclTokenEndpoint },
  { path: "/v1/acl/tokens", methods: ["GET"], answer: aclTokensEndpoint },
  { path: "/v1/acl/auth-methods", methods: ["GET"], answer: authMethodsEndpoint },
  { path: "/v1/acl/auth-method", methods: ["PUT"], answer: authMethodEndpoint },
  { path: "/v1/acl/auth-method/*", methods: ["GET", "PUT", "DELETE"], answer: authMethodEndpoint },
  { path: "/v1/acl/binding-rules", methods: ["GET"], answer: bindingRulesEndpoint },
  { path: "/v1/acl/binding-rule", methods: ["PUT"], answer: bindingRuleEndpoint },
  { path: "/v1/acl/binding-rule/*", methods: ["GET", "PUT", "DELETE"], answer: bindingRuleEndpoint },
  { path: "/v1/acl/login", methods: ["POST"], answer: loginEndpoint },
  { path: "/v1/acl/logout", methods: ["POST"], answer: logoutEndpoint },
];

/** The cluster peering API of Consul, and its config entries. */
export function createClusterService(options: ClusterServiceOptions): ClusterService {
  const {
    profile = communityCluster,
    peeringEnabled = true,
    deleteDelayMs,
    heartbeatMs = 15_000,
    redialMs = 1000,
    exchangePace = { windowMs: 3000, pauseMs: 150 },
    handshakeMs = 20_000,
    clock = () => new Date(),
    tables = createMemoryTables(),
  } = options;
  const identifiers = tables.open<string>("cluster/identifiers");
  const datacenter = lastGiven(identifiers, "datacenter", { given: options.datacenter, fallback: "dc1" });
  const nodeName = datacenter;
  const acl = createAclStore(tables, clock);
  const closing = new AbortController();
  // As many listeners as there are connections.
  setMaxListeners(0, closing.signal);
  const authorize = createAccess({ token: options.token, acl });
  const scripted = tables.open<boolean>("cluster/scripted");
  const undialled = {
    filtersResults: () => scripted.get("filtersResults") ?? false,
    profile,
    datacenter,
    peeringEnabled,
    deletionDelayMs: deleteDelayMs === undefined ? createDeletionPace(Date.now) : () => deleteDelayMs,
    exchangePace,
    handshakeMs,
    closing: closing.signal,
    nodeName,
    nodeId: madeOnce(identifiers, "nodeId", randomUUID),
    clock,
    acl,
    authMethods: createAuthMethodStore(tables),
    secretOf,
    managementToken: managementToken(
      options.token,
      madeOnce(identifiers, "managementAccessor", randomUUID),
      madeOnce(identifiers, "managementCreated", () => clock().toISOString()),
    ),
    isManagement: (secret: string) => secret === options.token,
    authorize,
    mayDo: mayDo(authorize),
    configEntries: createConfigEntryStore(tables),
    authority: createCertificateAuthority({ now: clock(), kept: tables.open("cluster/root") }),
    store: createPeeringStore(tables),
    streams: createPeerStreams({ clock, heartbeatMs }),
  };
  const cluster: Cluster = { ...undialled, dial: createDialling({ ...undialled, redialMs }) };
  resumePeerings(cluster);
  const app = new Hono<{ Bindings: Connection }>();
  app.notFound(({ req }) => strangePath(req.path));
  for (const route of routes) {
    app.all(route.path, async ({ req, env }) => wrapped(req.raw, await answerRoute(route, cluster, req.raw, env)));
  }
  const stored = (record: PeeringRecord) => [`peering/${recordPath(record)}`, storedBody(cluster, record)];
  const kept = (entry: ConfigEntry) => [`config/${entry.kind}/${entry.name}`, shownEntry(entry)];
  return {
    fetch: (request, connection) => strayResponse(request, connection) ?? app.fetch(request, connection),
    tunnel: tunnelOf(cluster),
    records: () => Object.fromEntries([...cluster.store.list().map(stored), ...cluster.configEntries.all().map(kept)]),
    filterResults: (wanted) => void scripted.set("filtersResults", wanted),
    close() {
      closing.abort();
      cluster.streams.close();
    },
  };
}

function strangePath(path: string): Response {
  if (unsupported.test(path)) return textResponse(501, `${path} is not supported by the embedded server`);
  return textResponse(404, "Invalid URL path: not a recognized HTTP API endpoint\n");
}

// What Consul has besides.
const unsupported = new RegExp(
  `^/v1/(?:${[
    ...["acl", "agent", "catalog", "config", "connect", "coordinate", "discovery-chain", "event", "exported-services"],
    ...["health", "imported-services", "internal", "kv", "namespaces?", "operator", "partitions?", "query", "session"],
    ...["snapshot", "status", "txn"],
  ].join("|")})(?:/|$)`,
);

/** Answers that Go's HTTP server gives before any endpoint is found. */
function strayResponse(request: Request, { path }: Connection): Response | undefined {
  if (brokenEscape.test(path)) return textResponse(400, "400 Bad Request");
  // Consul refuses paths with characters that do not print, without a word.
  if (!isPrintable(decodedPath(path))) return new Response(null, { status: 400 });
  const target = redirectTarget(path);
  if (target === undefined) return undefined;
  const location = `${target}${new URL(request.url).search}`;
  const hasBody = request.method === "GET" || request.method === "HEAD";
  const body = hasBody ? `<a href="${location.replaceAll("&", "&amp;")}">Moved Permanently</a>.\n\n` : null;
  const type: Record<string, string> = hasBody ? { "content-type": "text/html; charset=utf-8" } : {};
  return new Response(body, { status: 301, headers: { location, ...type } });
}

const brokenEscape = /%(?![\da-fA-F]{2})/;

async function answerRoute(
  { methods, answer }: Route,
  ...[cluster, request, connection]: Parameters<Route["answer"]>
): Promise<Response> {
  const allow = ["OPTIONS", ...methods].join(",");
  const { method } = connection;
  // Go's reader of forms fails over it, and Consul says no more than that.
  if (/;|%(?![\da-fA-F]{2})/.test(new URL(request.url).search)) return textResponse(500, "");
  if (method === "OPTIONS") return consulResponse(request, { headers: { allow } });
  if (!methods.includes(method)) return textResponse(405, `method ${method} not allowed`, { allow });
  try {
    return await answer(cluster, request, connection);
  } catch (error) {
    return refusalResponse(error);
  }
}

function recordPath({ name, partition }: PeeringRecord): string {
  return partition === "" || partition === "default" ? name : `${partition}/${name}`;
}

function storedBody({ streams }: Cluster, record: PeeringRecord): Record<string, unknown> {
  return {
    ...peeringBody(record, streams.statusOf(record.id)),
    ManualServerAddresses: record.manualServerAddresses,
    EstablishmentSecret: record.establishmentSecret,
    PendingStreamSecret: record.pendingStreamSecret,
    StreamSecret: record.streamSecret,
  };
}
