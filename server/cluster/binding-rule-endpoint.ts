import { goQuoted } from "../framework/go-quoted";
import { readConfig } from "./auth-method-config";
import { bindName, bindTypes } from "./bindings";
import type { Cluster } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";
import { consulResponse } from "./consul-response";
import { queryHeaders } from "./peering-endpoint";
import { firstIndex } from "./peering-store";
import { bindingRuleRequest, bodyText, decodeRequestBody } from "./request-body";
import { blankValues } from "./verify-login";

const path = "/v1/acl/binding-rule/";

/** `/v1/acl/binding-rule` and `/v1/acl/binding-rule/{id}`. */
export async function bindingRuleEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const id = decodeURIComponent(new URL(request.url).pathname.slice(path.length));
  if (request.method === "PUT") return writeRule(cluster, request, id);
  if (id === "") throw new ConsulRefusal(400, "Missing binding rule ID");
  if (request.method === "DELETE") {
    cluster.authorize(request, "acl:write");
    if (!cluster.authMethods.deleteRule(id)) throw new ConsulRefusal(404, "Cannot find binding rule to delete");
    return consulResponse(request, { body: true });
  }
  cluster.authorize(request, "acl:read");
  const body = cluster.authMethods.rule(id);
  if (body === undefined) throw new ConsulRefusal(404, "Requested binding rule does not exist: ACL not found");
  return consulResponse(request, { body, headers: queryHeaders(firstIndex) });
}

/** `GET /v1/acl/binding-rules`. */
export function bindingRulesEndpoint(cluster: Cluster, request: Request): Response {
  cluster.authorize(request, "acl:read");
  const body = cluster.authMethods.rules(new URL(request.url).searchParams.get("authmethod") ?? undefined);
  return consulResponse(request, { body, headers: queryHeaders(firstIndex) });
}

/** The checks run in Consul's order. */
async function writeRule(cluster: Cluster, request: Request, inPath: string): Promise<Response> {
  const sent = decodeRequestBody(bindingRuleRequest, await bodyText(request), "BindingRule decoding failed");
  if (sent.ID !== "" && sent.ID !== inPath) {
    throw new ConsulRefusal(400, "BindingRule ID in URL and payload do not match");
  }
  cluster.authorize(request, "acl:write");
  const existing = cluster.authMethods.rule(inPath);
  if (inPath !== "" && existing === undefined) throw new ConsulRefusal(500, `cannot find binding rule ${inPath}`);
  const AuthMethod = sent.AuthMethod || (existing?.AuthMethod ?? "");
  if (existing !== undefined && existing.AuthMethod !== AuthMethod) {
    throw new ConsulRefusal(500, "the AuthMethod field of an Binding Rule is immutable");
  }
  if (AuthMethod === "") throw invalid("no AuthMethod is set");
  const method = cluster.authMethods.method(AuthMethod);
  if (method === undefined) throw new ConsulRefusal(500, `cannot find auth method with name ${goQuoted(AuthMethod)}`);
  if (sent.Selector !== "") {
    throw new ConsulRefusal(501, "selectors of binding rules are not supported by the embedded server");
  }
  if (sent.BindType === "") throw invalid("no BindType is set");
  if (sent.BindName === "") throw invalid("no BindName is set");
  const problem = "invalid BindName or BindVars:";
  if (!bindTypes.includes(sent.BindType)) {
    throw invalid(`${problem} invalid Binding Rule: unknown BindType ${goQuoted(sent.BindType)}`);
  }
  const blank = Object.keys(blankValues(readConfig(method.Config ?? {}))).map((name) => [name, "fake"] as const);
  const bound = bindName(sent, Object.fromEntries(blank));
  if ("problem" in bound) {
    throw invalid(`${problem} failed to validate bindType ${goQuoted(sent.BindType)}: ${bound.problem}`);
  }
  if (sent.BindType !== "role" && sent.BindType !== "policy") {
    throw new ConsulRefusal(501, `bindings to a ${sent.BindType} are not supported by the embedded server`);
  }
  const { Description, Selector, BindType, BindName } = sent;
  const fields = { ID: inPath, Description, AuthMethod, Selector, BindType, BindName };
  return consulResponse(request, { body: cluster.authMethods.putRule(fields) });
}

function invalid(problem: string): ConsulRefusal {
  return new ConsulRefusal(500, `Invalid Binding Rule: ${problem}`);
}
