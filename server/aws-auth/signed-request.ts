import type { OperationRequest } from "../framework/backend";
import { goQuoted } from "../framework/go-quoted";
import { type GoUrl, parseGoUrl } from "../framework/go-url";
import type { HeaderValues } from "../framework/header-field";
import { Refusal } from "../framework/refusal";
import type { ClientConfig } from "./client-config";

export const loginFields = {
  role: "string",
  iam_http_request_method: "string",
  iam_request_url: "string",
  iam_request_body: "string",
  iam_request_headers: "header",
  pkcs7: "string",
  identity: "string",
  signature: "string",
  nonce: "string",
} as const;

export type LoginRequest = OperationRequest<typeof loginFields>;

/** A request to the cloud that the client has signed and the server sends. */
export interface SignedRequest {
  readonly url: GoUrl;
  readonly body: string;
  readonly headers: HeaderValues;
}

/** The signed request of a login; the checks run in Vault's order. @throws Refusal */
export function signedRequest(data: LoginRequest["data"], config: ClientConfig | undefined): SignedRequest {
  const isMachine = ["pkcs7", "identity", "signature"] as const;
  if (isMachine.some((name) => data.given(name) !== undefined)) {
    throw new Refusal("logins of EC2 instances are not supported by the embedded server", { status: 501 });
  }
  const method = data.given("iam_http_request_method");
  const isWhole = [method, data.given("iam_request_url"), data.given("iam_request_headers")];
  const hasBody = method === "GET" || data.given("iam_request_body") !== undefined;
  if (isWhole.includes(undefined) || !hasBody) throw new Refusal("didn't supply required authentication values");
  if (method === "") throw new Refusal("missing iam_http_request_method");
  if (method === "GET") {
    throw new Refusal("logins by GET are not supported by the embedded server", { status: 501 });
  }
  if (method !== "POST") {
    throw new Refusal("invalid iam_http_request_method; currently only 'GET' and 'POST' are supported");
  }
  if (data.get("iam_request_url") === "") throw new Refusal("missing iam_request_url");
  const url = parseGoUrl(decoded("iam_request_url", data));
  if (url === undefined) throw new Refusal("error parsing iam_request_url");
  if (url.query !== "") throw new Refusal("invalid request");
  if (data.get("iam_request_body") === "") {
    throw new Refusal("missing iam_request_body which is required for POST requests");
  }
  const body = decoded("iam_request_body", data);
  assertBody(body);
  const headers = data.get("iam_request_headers");
  if (headers.size === 0) throw new Refusal("missing iam_request_headers");
  if (config !== undefined) assertHeaders(headers, config);
  return { url, body, headers };
}

function decoded(name: "iam_request_url" | "iam_request_body", data: LoginRequest["data"]): string {
  const text = data.get(name).replace(/[\r\n]/g, "");
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    return Buffer.from(text, "base64").toString("utf8");
  }
  throw new Refusal(`failed to base64 decode ${name}`);
}

/** Only this call may be asked in the client's place. */
function assertBody(body: string): void {
  const broken = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(body)?.[0];
  if (broken !== undefined) throw new Refusal(`invalid URL escape ${goQuoted(broken)}`);
  const parameters = new URLSearchParams(body);
  const isOther = [...parameters.keys()].some((name) => name !== "Action" && name !== "Version");
  const actions = parameters.getAll("Action");
  if (isOther || actions.length > 1 || (actions[0] ?? "GetCallerIdentity") !== "GetCallerIdentity") {
    throw new Refusal("iam request body is invalid");
  }
}

const serverIdHeader = "X-Vault-AWS-IAM-Server-ID";

function assertHeaders(headers: HeaderValues, config: ClientConfig): void {
  const wanted = config.iam_server_id_header_value;
  const problem = wanted === "" ? undefined : serverIdProblem(headers, wanted);
  if (problem !== undefined) throw new Refusal(`error validating ${serverIdHeader} header: ${problem}`);
  const allowed = [...usualHeaders, ...(config.allowed_sts_header_values ?? [])];
  const stray = [...headers.keys()].find((name) => name.startsWith("X-Amz-") && !allowed.includes(name));
  if (stray !== undefined) throw new Refusal(`invalid request header: ${stray}`);
}

function serverIdProblem(headers: HeaderValues, wanted: string): string | undefined {
  const [, values] = [...headers].find(([name]) => name.toLowerCase() === serverIdHeader.toLowerCase()) ?? [];
  const given = values?.join(",") ?? "";
  if (given === "") return `missing header ${goQuoted(serverIdHeader)}`;
  if (given !== wanted) return `expected ${goQuoted(wanted)} but got ${goQuoted(given)}`;
  const authorization = headers.get("Authorization");
  if (authorization === undefined) return "missing Authorization header";
  const signed = /.*SignedHeaders=([^,]+)/.exec(authorization.join(","))?.[1] ?? "";
  return signed.split(";").includes(serverIdHeader.toLowerCase()) ? undefined : "vault header wasn't signed";
}

const usualHeaders = [
  "X-Amz-Algorithm",
  "X-Amz-Content-Sha256",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Security-Token",
  "X-Amz-Signature",
  "X-Amz-Signedheaders",
  "X-Amz-User-Agent",
];
