import type { Cluster } from "./cluster";
import { consulResponse } from "./consul-response";
import { aclPolicyRequest, aclTokenRequest, bodyText, decodeRequestBody } from "./request-body";

/** `PUT /v1/acl/policy`. */
export async function aclPolicyEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const policy = decodeRequestBody(aclPolicyRequest, await bodyText(request), "Policy");
  cluster.authorize(request, "acl:write");
  return consulResponse(request, { body: cluster.acl.createPolicy(policy) });
}

/** `PUT /v1/acl/token`. */
export async function aclTokenEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const { Description, Policies } = decodeRequestBody(aclTokenRequest, await bodyText(request), "Token");
  cluster.authorize(request, "acl:write");
  const policies = (Policies ?? []).map(({ Name }) => Name);
  return consulResponse(request, { body: cluster.acl.createToken({ policies, Description, at: cluster.clock() }) });
}
