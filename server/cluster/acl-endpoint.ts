import type { Cluster } from "./cluster";
import { consulResponse } from "./consul-response";
import { queryHeaders } from "./peering-endpoint";
import { firstIndex } from "./peering-store";
import { aclPolicyRequest, aclRoleRequest, aclTokenRequest, bodyText, decodeRequestBody } from "./request-body";

/** `PUT /v1/acl/policy`. */
export async function aclPolicyEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const policy = decodeRequestBody(aclPolicyRequest, await bodyText(request), "Policy decoding failed");
  cluster.authorize(request, "acl:write");
  return consulResponse(request, { body: cluster.acl.createPolicy(policy) });
}

/** `PUT /v1/acl/token`. */
export async function aclTokenEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const { Description, Policies } = decodeRequestBody(
    aclTokenRequest,
    await bodyText(request),
    "Token decoding failed",
  );
  cluster.authorize(request, "acl:write");
  const policies = (Policies ?? []).map(({ Name }) => Name);
  return consulResponse(request, { body: cluster.acl.createToken({ policies, Description }) });
}

/** `PUT /v1/acl/role`. */
export async function aclRoleEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const { Policies, ...given } = decodeRequestBody(aclRoleRequest, await bodyText(request), "Role decoding failed");
  cluster.authorize(request, "acl:write");
  const policies = (Policies ?? []).map(({ Name }) => Name);
  return consulResponse(request, { body: cluster.acl.createRole({ ...given, policies }) });
}

/** `GET /v1/acl/tokens`: those that were made here, without the management token. */
export function aclTokensEndpoint(cluster: Cluster, request: Request): Response {
  cluster.authorize(request, "acl:read");
  return consulResponse(request, { body: cluster.acl.tokens(), headers: queryHeaders(firstIndex) });
}
