import { gzipSync } from "node:zlib";
import { ConsulRefusal } from "./consul-refusal";

const gzipFromBytes = 1400;

/** What an endpoint answers: a body to print as JSON, or nothing at all. */
export interface Answer {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text in front of the body that makes the answer a 400. */
  readonly complaint?: string;
}

/** Prints an answer as Consul's HTTP wrapper does. */
export function consulResponse(request: Request, answer: Answer): Response {
  if (answer.complaint !== undefined) return textResponse(400, answer.complaint + goJson(answer.body, request));
  if (answer.body === undefined) {
    const type = request.headers.get("content-type") ?? "application/json; charset=utf-8";
    return new Response(null, { headers: { ...answer.headers, "content-type": type } });
  }
  const headers = { ...answer.headers, "content-type": "application/json" };
  return new Response(goJson(answer.body, request), { headers });
}

export function textResponse(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
}

/** The text of a refusal, behind the complaint that has already been written if there is one. */
export function refusalResponse(error: unknown, complaint = ""): Response {
  if (!(error instanceof ConsulRefusal)) throw error;
  return textResponse(complaint === "" ? error.status : 400, complaint + error.message);
}

/** Adds the headers of every endpoint, and compresses what the client takes compressed. */
export async function wrapped(request: Request, response: Response): Promise<Response> {
  response.headers.set("vary", "Accept-Encoding");
  response.headers.set("x-consul-default-acl-policy", "deny");
  if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return response;
  const body = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  if (body.length === 0) return new Response(null, { status, headers });
  if (body.length < gzipFromBytes) return new Response(body, { status, headers });
  headers.set("content-encoding", "gzip");
  return new Response(gzipSync(body), { status, headers });
}

function goJson(body: unknown, request: Request): string {
  const pretty = new URL(request.url).searchParams.has("pretty");
  const json = pretty ? `${JSON.stringify(body, null, 4)}\n` : JSON.stringify(body);
  return json.replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
