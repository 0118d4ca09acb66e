import type { IncomingMessage } from "node:http";
import type { Outgoing } from "./exchange";

/** The answers of Go's HTTP server itself, before Vault or Consul see the request [asked of Vault 1.21.1]. */
export function unfitAnswer(request: IncomingMessage, method: string): Outgoing | undefined {
  const { httpVersionMajor, httpVersion, url } = request;
  if (httpVersionMajor > 1) return refusal(505, "505 HTTP Version Not Supported: unsupported protocol version");
  if (httpVersionMajor < 1) return refusal(400, "400 Bad Request");
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts > 1) return refusal(400, "400 Bad Request");
  if (hosts === 0 && httpVersion !== "1.0") return refusal(400, "400 Bad Request: missing required Host header");
  if (!hostGrammar.test(request.headers.host ?? "")) return refusal(400, "400 Bad Request: malformed Host header");
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return refusal(501, "Unsupported transfer encoding");
  if (url !== "*") return undefined;
  return method === "OPTIONS" ? { status: 200, headers: {}, body: "" } : { status: 400, headers: closing, body: "" };
}

const hostGrammar = /^[!$%&'()*+,.:;=[\]_~0-9A-Za-z-]*$/;
const closing = { connection: "close" };

function refusal(status: number, body: string): Outgoing {
  return { status, headers: { ...closing, "content-type": "text/plain; charset=utf-8" }, body };
}
