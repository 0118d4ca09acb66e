import { DurationFailure, goDurationText, nanosecondsFromText, wholeSeconds } from "../framework/go-duration";
import { isNumberText, isWireObject, type WireValue } from "../framework/wire-value";
import { checkConfig, invalid, readConfig } from "./auth-method-config";
import type { AuthMethod } from "./auth-method-store";
import type { Cluster } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";
import { consulResponse } from "./consul-response";
import { queryHeaders } from "./peering-endpoint";
import { firstIndex } from "./peering-store";
import { authMethodRequest, bodyText, decodeRequestBody } from "./request-body";

const path = "/v1/acl/auth-method/";

/** `/v1/acl/auth-method` and `/v1/acl/auth-method/{name}`. */
export async function authMethodEndpoint(cluster: Cluster, request: Request): Promise<Response> {
  const name = decodeURIComponent(new URL(request.url).pathname.slice(path.length));
  if (request.method === "PUT") return writeMethod(cluster, request, name);
  if (name === "") throw new ConsulRefusal(400, "Missing auth method name");
  if (request.method === "DELETE") return deleteMethod(cluster, request, name);
  cluster.authorize(request, "acl:read");
  const method = cluster.authMethods.method(name);
  if (method === undefined) throw new ConsulRefusal(404, "Requested auth method does not exist: ACL not found");
  return consulResponse(request, { body: shownMethod(method), headers: queryHeaders(firstIndex) });
}

/** `GET /v1/acl/auth-methods`. */
export function authMethodsEndpoint(cluster: Cluster, request: Request): Response {
  cluster.authorize(request, "acl:read");
  const body = cluster.authMethods.methods().map((method) => {
    const { Config: _config, ...stub } = shownMethod(method);
    return stub;
  });
  return consulResponse(request, { body, headers: queryHeaders(firstIndex) });
}

/** The checks run in Consul's order. */
async function writeMethod(cluster: Cluster, request: Request, inPath: string): Promise<Response> {
  const sent = decodeRequestBody(authMethodRequest, await bodyText(request), "AuthMethod decoding failed");
  const maxTokenSeconds = secondsFrom(sent.MaxTokenTTL);
  if (inPath !== "" && sent.Name !== "" && sent.Name !== inPath) {
    throw new ConsulRefusal(400, "AuthMethod Name in URL and payload do not match");
  }
  cluster.authorize(request, "acl:write");
  const Name = sent.Name || inPath;
  if (Name === "") throw invalid("no Name is set");
  if (!/^[A-Za-z0-9\-_]{1,128}$/.test(Name)) {
    throw invalid("invalid Name. Only alphanumeric characters, '-' and '_' are allowed");
  }
  const existing = cluster.authMethods.method(Name);
  const Type = sent.Type || (existing?.Type ?? "");
  if (existing !== undefined && Type !== existing.Type) {
    throw new ConsulRefusal(500, "the Type field of an Auth Method is immutable");
  }
  if (!["aws-iam", "jwt", "kubernetes"].includes(Type)) {
    throw invalid("Type should be one of: [aws-iam jwt kubernetes]");
  }
  if (maxTokenSeconds !== 0 && maxTokenSeconds < 60) {
    throw new ConsulRefusal(500, `MaxTokenTTL ${goDurationText(maxTokenSeconds)} cannot be less than 1m0s`);
  }
  if (!["", "local", "global"].includes(sent.TokenLocality)) {
    throw invalid("TokenLocality should be one of 'local' or 'global'");
  }
  if (Type !== "jwt")
    throw new ConsulRefusal(501, `auth methods of type ${Type} are not supported by the embedded server`);
  const Config = isWireObject(sent.Config) ? sent.Config : null;
  await checkConfig(readConfig(Config ?? {}));
  const { DisplayName, Description, TokenLocality } = sent;
  const fields = { Name, Type, DisplayName, Description, maxTokenSeconds, TokenLocality, Config };
  return consulResponse(request, { body: shownMethod(cluster.authMethods.putMethod(fields)) });
}

/** The tokens of its logins end with it. */
function deleteMethod(cluster: Cluster, request: Request, name: string): Response {
  cluster.authorize(request, "acl:write");
  if (!cluster.authMethods.deleteMethod(name)) throw new ConsulRefusal(404, "Cannot find auth method to delete");
  cluster.acl.endLogins(name);
  return consulResponse(request, { body: true });
}

function shownMethod({ maxTokenSeconds, DisplayName, Description, TokenLocality, ...always }: AuthMethod) {
  return {
    ...always,
    ...(DisplayName === "" ? {} : { DisplayName }),
    ...(Description === "" ? {} : { Description }),
    ...(maxTokenSeconds === 0 ? {} : { MaxTokenTTL: goDurationText(maxTokenSeconds) }),
    ...(TokenLocality === "" ? {} : { TokenLocality }),
  };
}

/** A number is nanoseconds. */
function secondsFrom(ttl: WireValue): number {
  try {
    if (isNumberText(ttl)) return wholeSeconds(BigInt(Math.trunc(Number(ttl.rawJSON))));
    return typeof ttl === "string" ? wholeSeconds(nanosecondsFromText(ttl)) : 0;
  } catch (failure) {
    if (!(failure instanceof DurationFailure)) throw failure;
    throw new ConsulRefusal(400, `AuthMethod decoding failed: ${failure.message}`);
  }
}
