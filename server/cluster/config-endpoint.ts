import { goQuoted } from "../framework/go-quoted";
import { readJsonStream } from "../framework/json-reader";
import { isWireObject, type WireObject, wireValue } from "../framework/wire-value";
import { secretOf } from "./access";
import type { Cluster } from "./cluster";
import { shownEntry } from "./config-entry-store";
import { decodeEntry, type Entry, errorList } from "./config-fields";
import { kindNamed } from "./config-kinds";
import { ConsulRefusal } from "./consul-refusal";
import { consulResponse, refusalResponse } from "./consul-response";
import { queryHeaders } from "./peering-endpoint";
import { partitionOf } from "./peering-rules";
import { bodyText } from "./request-body";

/** `PUT /v1/config`. The checks run in Consul's order. */
export async function configWriteEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const sent = decodedBody(await bodyText(request));
  const kind = sent["Kind"] ?? sent["kind"];
  if (kind === undefined) throw decoding("Payload does not contain a kind/Kind key at the top level");
  if (typeof kind !== "string") throw decoding("Kind value in payload is not a string");
  const type = kindNamed(kind, 400, "Request decoding failed: ");
  const decoded = decodeEntry(type.shape, sent);
  assertCommunity(cluster, request);
  if (new URL(request.url).searchParams.has("cas")) {
    throw new ConsulRefusal(501, "the query parameter cas is not supported by the embedded server");
  }
  const members = type.normalised(decoded);
  const problem = type.problem(members);
  if (problem !== undefined) throw new ConsulRefusal(500, problem);
  const name = String(members["Name"]);
  cluster.authorize(request, `${type.permission}:write`, type.permission === "intention" ? name : undefined);
  assertFitsOthers(cluster, kind, members);
  cluster.configEntries.write({ kind, name, members });
  return consulResponse(request, { body: true });
}

/** `/v1/config/{kind}` and `/v1/config/{kind}/{name}`. */
export function configEndpoint(cluster: Cluster, request: Request): Response {
  const [kind = "", ...rest] = decodeURIComponent(new URL(request.url).pathname.slice("/v1/config/".length)).split("/");
  if (request.method === "DELETE") return removeEntry(cluster, request, kind, rest);
  return rest.length === 0 ? listEntries(cluster, request, kind) : readEntry(cluster, request, kind, rest.join("/"));
}

function readEntry(cluster: Cluster, request: Request, kind: string, name: string): Response {
  assertCommunity(cluster, request);
  const { permission } = kindNamed(kind, 500);
  cluster.authorize(request, `${permission}:read`, permission === "intention" ? name : undefined);
  const headers = queryHeaders(cluster.configEntries.tableIndex());
  const entry = cluster.configEntries.find(kind, name);
  if (entry !== undefined) return consulResponse(request, { body: shownEntry(entry), headers });
  const text = `Config entry not found for ${goQuoted(kind)} / ${goQuoted(name)}`;
  const absent = refusalResponse(new ConsulRefusal(404, text));
  for (const [header, value] of Object.entries(headers)) absent.headers.set(header, value);
  return absent;
}

/** What the token may not see is left out. The header does not say so to a request without a token. */
function listEntries(cluster: Cluster, request: Request, kind: string): Response {
  assertCommunity(cluster, request);
  const { permission } = kindNamed(kind, 500);
  const all = cluster.configEntries.list(kind);
  const seen = all.filter(({ name }) => cluster.mayDo(request, `${permission}:read`, name));
  const headers = queryHeaders(cluster.configEntries.tableIndex());
  const response = consulResponse(request, { body: seen.map(shownEntry), headers });
  const isFiltered = seen.length < all.length && secretOf(request) !== undefined;
  if (isFiltered) response.headers.set("x-consul-results-filtered-by-acls", "true");
  return response;
}

/** Succeeds whether or not the entry is there. */
function removeEntry(cluster: Cluster, request: Request, kind: string, rest: readonly string[]): Response {
  if (rest.length === 0) throw new ConsulRefusal(404, "Must provide both a kind and name to delete");
  const { permission } = kindNamed(kind, 400);
  assertCommunity(cluster, request);
  const name = rest.join("/");
  cluster.authorize(request, `${permission}:write`, permission === "intention" ? name : undefined);
  cluster.configEntries.remove(kind, name);
  return consulResponse(request, { body: {} });
}

/** Permissions of an intention need an HTTP service; the issuers that it names must be known. */
function assertFitsOthers({ configEntries }: Cluster, kind: string, members: Entry): void {
  if (kind !== "service-intentions") return;
  const sources = members["Sources"] as Entry[];
  const permissions = sources.flatMap(({ Permissions }) => (Permissions ?? []) as Entry[]);
  const named = [members["JWT"], ...permissions.map(({ JWT }) => JWT)].flatMap(
    (jwt) => ((jwt as Entry | undefined)?.["Providers"] ?? []) as Entry[],
  );
  const missing = [...new Set(named.map(({ Name }) => String(Name)))].filter(
    (name) => configEntries.find("jwt-provider", name) === undefined,
  );
  if (missing.length > 0) {
    const problems = missing.map((name) => `Referenced JWT Provider does not exist. Provider Name: ${name}`);
    throw new ConsulRefusal(500, errorList(problems));
  }
  const name = String(members["Name"]);
  const protocol = configEntries.find("service-defaults", name)?.members["Protocol"] ?? "tcp";
  if (permissions.length > 0 && !["http", "http2", "grpc"].includes(String(protocol))) {
    const has = `service ${goQuoted(name)} has protocol ${goQuoted(String(protocol))}`;
    throw new ConsulRefusal(500, `${has}, which is incompatible with L7 intentions permissions`);
  }
}

/** @throws ConsulRefusal, for a namespace or partition that is named */
function assertCommunity(cluster: Cluster, request: Request): void {
  const isNamed = ["partition", "ns"].some((name) => new URL(request.url).searchParams.has(name));
  if (cluster.profile.hasPartitions && isNamed) {
    throw new ConsulRefusal(501, "config entries of a partition are not supported by the embedded server");
  }
  if (new URL(request.url).searchParams.get("ns")) {
    throw new ConsulRefusal(400, 'Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature');
  }
  partitionOf(cluster, request);
}

function decodedBody(text: string): WireObject {
  try {
    const value = wireValue(readJsonStream(text));
    if (isWireObject(value)) return value;
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    throw decoding(failure.message);
  }
  throw new ConsulRefusal(501, "a config entry that is no object is not supported by the embedded server");
}

function decoding(problem: string): ConsulRefusal {
  return new ConsulRefusal(400, `Request decoding failed: ${problem}`);
}
