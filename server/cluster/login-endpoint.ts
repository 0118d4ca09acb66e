import { goQuoted } from "../framework/go-quoted";
import { secretOf } from "./access";
import { readConfig } from "./auth-method-config";
import { bindName } from "./bindings";
import type { Cluster } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";
import { consulResponse } from "./consul-response";
import { bodyText, decodeRequestBody, loginRequest } from "./request-body";
import { verifiedValues } from "./verify-login";

/** `POST /v1/acl/login`: a JWT in, a token of what the rules of the method bind out. */
export async function loginEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const body = await bodyText(request);
  const { AuthMethod, BearerToken, Meta } = decodeRequestBody(loginRequest, body, "Failed to decode request body");
  const method = cluster.authMethods.method(AuthMethod);
  if (method === undefined) {
    throw new ConsulRefusal(403, `ACL not found: auth method ${goQuoted(AuthMethod)} not found`);
  }
  const at = cluster.clock();
  const values = await verifiedValues(BearerToken, readConfig(method.Config ?? {}), at);
  const bound = cluster.authMethods.rules(AuthMethod).map((rule) => {
    const found = bindName(rule, values);
    if ("problem" in found) throw new ConsulRefusal(500, found.problem);
    return { type: rule.BindType, name: found.name };
  });
  const namesOf = (type: string) => bound.filter((each) => each.type === type).map(({ name }) => name);
  const meta = Object.keys(Meta ?? {}).length === 0 ? "" : `: ${JSON.stringify(Meta)}`;
  const token = cluster.acl.createLogin({
    AuthMethod,
    Description: `token created via login${meta}`,
    Local: method.TokenLocality !== "global",
    roles: namesOf("role"),
    policies: namesOf("policy"),
    seconds: method.maxTokenSeconds,
  });
  if (token === undefined) throw new ConsulRefusal(403, "Permission denied");
  return consulResponse(request, { body: token });
}

/** `POST /v1/acl/logout` ends the token that it is asked with. */
export function logoutEndpoint(cluster: Cluster, request: Request): Response {
  const secret = secretOf(request);
  if (secret === undefined) throw new ConsulRefusal(401, "Supplied token does not exist");
  cluster.acl.logout(secret, { isManagement: cluster.isManagement(secret) });
  return consulResponse(request, { body: true });
}
