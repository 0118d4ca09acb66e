import { DurationFailure, nanosecondsFromText } from "../framework/go-duration";
import { isNumberText, type WireValue } from "../framework/wire-value";
import type { AclLink } from "./acl-policy-store";
import type { AclToken, GivenToken } from "./acl-store";
import type { Cluster } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";
import { consulResponse } from "./consul-response";
import { queryHeaders } from "./peering-endpoint";
import { firstIndex } from "./peering-store";
import { aclPolicyRequest, aclRoleRequest, aclTokenRequest, bodyText, decodeRequestBody } from "./request-body";

const uuid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** `/v1/acl/policy`, `/v1/acl/policy/{id}` and `/v1/acl/policy/name/{name}`. */
export async function aclPolicyEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const { policies } = cluster.acl;
  const id = pathAfter(request, "/v1/acl/policy");
  if (request.method === "PUT") {
    const sent = decodeRequestBody(aclPolicyRequest, await bodyText(request), "Policy decoding failed");
    if (id === "" && sent.ID !== "") throw new ConsulRefusal(400, "Cannot specify the ID when creating a new policy");
    if (sent.ID !== "" && sent.ID !== id) throw new ConsulRefusal(400, "Policy ID in URL and payload do not match");
    cluster.authorize(request, "acl:write");
    const { Name, Description, Rules, Datacenters } = sent;
    const given = { Name, Description, Rules, ...(Datacenters === null ? {} : { Datacenters }) };
    return consulResponse(request, { body: id === "" ? policies.create(given) : policies.update(id, given) });
  }
  const name = id.startsWith("name/") ? id.slice("name/".length) : undefined;
  if (name === "") throw new ConsulRefusal(400, "Missing policy Name");
  if (id === "") throw new ConsulRefusal(400, "Missing policy ID");
  cluster.authorize(request, request.method === "DELETE" ? "acl:write" : "acl:read");
  if (name === undefined) assertUuid(id, "policy");
  if (request.method === "DELETE") {
    policies.delete(id);
    return consulResponse(request, { body: true });
  }
  const body = name === undefined ? policies.get(id) : policies.named(name);
  if (body === undefined) throw new ConsulRefusal(404, "Requested policy does not exist: ACL not found");
  return consulResponse(request, { body, headers: queryHeaders(firstIndex) });
}

/** `GET /v1/acl/policies`. */
export function aclPoliciesEndpoint(cluster: Cluster, request: Request): Response {
  cluster.authorize(request, "acl:read");
  const body = cluster.acl.policies.all().map(({ Rules: _rules, ...policy }) => ({
    ...policy,
    Datacenters: policy.Datacenters ?? null,
  }));
  return consulResponse(request, { body, headers: queryHeaders(firstIndex) });
}

/** `/v1/acl/token`, `/v1/acl/token/{accessor}` and `/v1/acl/token/self`. */
export async function aclTokenEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const { acl } = cluster;
  const accessor = pathAfter(request, "/v1/acl/token");
  if (accessor.endsWith("/clone") || new URL(request.url).searchParams.has("expanded")) {
    throw new ConsulRefusal(501, "clones and expanded tokens are not supported by the embedded server");
  }
  if (request.method === "PUT") {
    const given = await givenToken(cluster, request);
    const isOther = accessor !== "" && given.AccessorID !== "" && given.AccessorID !== accessor;
    if (isOther) throw new ConsulRefusal(400, "Token Accessor ID in URL and payload do not match");
    cluster.authorize(request, "acl:write");
    return consulResponse(request, {
      body: accessor === "" ? acl.createToken(given) : acl.updateToken(accessor, given),
    });
  }
  if (accessor === "") throw new ConsulRefusal(400, "Missing token AccessorID");
  if (request.method === "DELETE") {
    cluster.authorize(request, "acl:write");
    if (!uuid.test(accessor)) throw new ConsulRefusal(500, "Accessor ID is missing or an invalid UUID");
    acl.deleteToken(accessor);
    return consulResponse(request, { body: true });
  }
  const body = accessor === "self" ? ownToken(cluster, request) : tokenAt(cluster, request, accessor);
  return consulResponse(request, { body, headers: queryHeaders(firstIndex) });
}

/** `GET /v1/acl/tokens`: those that were made here, without the management token. */
export function aclTokensEndpoint(cluster: Cluster, request: Request): Response {
  cluster.authorize(request, "acl:read");
  const asked = new URL(request.url).searchParams;
  const isLinked = (links: readonly AclLink[] | undefined, id: string | null) =>
    id === null || (links ?? []).some(({ ID }) => ID === id);
  const body = cluster.acl
    .tokens()
    .filter(({ Policies, Roles }) => isLinked(Policies, asked.get("policy")) && isLinked(Roles, asked.get("role")));
  return consulResponse(request, { body, headers: queryHeaders(firstIndex) });
}

/** `PUT /v1/acl/role`. */
export async function aclRoleEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const { Name, Description, Policies } = decodeRequestBody(
    aclRoleRequest,
    await bodyText(request),
    "Role decoding failed",
  );
  cluster.authorize(request, "acl:write");
  return consulResponse(request, { body: cluster.acl.createRole({ Name, Description, policies: Policies ?? [] }) });
}

function pathAfter(request: Request, root: string): string {
  return decodeURIComponent(new URL(request.url).pathname.slice(root.length).replace(/^\//, ""));
}

function assertUuid(id: string, kind: string): void {
  if (!uuid.test(id))
    throw new ConsulRefusal(500, `failed acl ${kind} lookup: index error: UUID must be 36 characters`);
}

function tokenAt(cluster: Cluster, request: Request, accessor: string): AclToken {
  cluster.authorize(request, "acl:read");
  assertUuid(accessor, "token");
  const { acl, managementToken } = cluster;
  const token = accessor === managementToken.AccessorID ? managementToken : acl.token(accessor);
  if (token === undefined) throw new ConsulRefusal(403, "token does not exist: ACL not found");
  return token;
}

/** Whoever has a token may read it. */
function ownToken(cluster: Cluster, request: Request): AclToken {
  const secret = cluster.secretOf(request) ?? "";
  const token = cluster.isManagement(secret) ? cluster.managementToken : cluster.acl.tokenOf(secret);
  if (token === undefined) throw new ConsulRefusal(403, "ACL not found");
  return token;
}

const minExpirationMs = 60_000;

/** The token that a request describes. @throws ConsulRefusal */
async function givenToken(cluster: Cluster, request: Request): Promise<GivenToken> {
  const sent = decodeRequestBody(aclTokenRequest, await bodyText(request), "Token decoding failed");
  const { AccessorID, SecretID, Description, AuthMethod, Policies, Roles } = sent;
  const endsMs = endOf(sent, cluster.clock().getTime());
  for (const [name, id] of Object.entries({ AccessorID, SecretID })) {
    if (id !== "" && !uuid.test(id)) throw new ConsulRefusal(500, `Invalid Token: ${name} - not a valid UUID`);
  }
  if (AuthMethod !== "") throw new ConsulRefusal(500, "AuthMethod field is disallowed outside of login");
  const { ServiceIdentities, NodeIdentities, TemplatedPolicies } = sent;
  const Local = sent.Local === true;
  const identities = { ServiceIdentities, NodeIdentities, TemplatedPolicies };
  return {
    AccessorID,
    SecretID,
    Description,
    Local,
    policies: Policies ?? [],
    roles: Roles ?? [],
    endsMs,
    ...identities,
  };
}

interface Ends {
  readonly ExpirationTTL: WireValue;
  readonly ExpirationTime: WireValue;
}

function endOf({ ExpirationTTL, ExpirationTime }: Ends, nowMs: number): number | undefined {
  const ttlMs = milliseconds(ExpirationTTL);
  const time = typeof ExpirationTime === "string" ? Date.parse(ExpirationTime) : undefined;
  if (time !== undefined && ttlMs !== 0) {
    throw new ConsulRefusal(500, "Token Expiration TTL and Expiration Time cannot both be set");
  }
  const endsMs = ttlMs === 0 ? time : nowMs + ttlMs;
  if (endsMs === undefined) return undefined;
  if (endsMs < nowMs) throw new ConsulRefusal(500, "ExpirationTime cannot be before CreateTime");
  if (endsMs - nowMs < minExpirationMs) {
    const was = `${Math.round((endsMs - nowMs) / 1000)}s`;
    throw new ConsulRefusal(500, `ExpirationTime cannot be less than 1m0s in the future (was ${was})`);
  }
  return endsMs;
}

function milliseconds(ttl: WireValue): number {
  if (isNumberText(ttl)) return Number(ttl.rawJSON) / 1e6;
  if (typeof ttl !== "string") return 0;
  try {
    return Number(nanosecondsFromText(ttl)) / 1e6;
  } catch (failure) {
    if (!(failure instanceof DurationFailure)) throw failure;
    throw new ConsulRefusal(400, `Token decoding failed: ${failure.message}`);
  }
}
