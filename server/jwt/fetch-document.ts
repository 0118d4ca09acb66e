import { X509Certificate } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** A document that could not be fetched: network, status, certificate or size. */
export class FetchFailure extends Error {
  /** The answer that came instead, if any; `status` is code and reason. */
  readonly answer: { readonly status: string; readonly body: string } | undefined;

  constructor(text: string, answer?: { readonly status: string; readonly body: string }) {
    super(text);
    this.answer = answer;
  }
}

const timeoutMs = 10_000;
const maxRedirects = 10;
const maxBytes = 10 * 1024 * 1024;

export interface FetchedDocument {
  readonly body: string;
  /** `""` when the answer names none. */
  readonly contentType: string;
}

export interface FetchDocument {
  /** PEM certificates to trust instead of the system's; `""` for the system's. */
  readonly caPem: string;
  /** Sent to the host of the URL, not to a host that it redirects to. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Gets a document over HTTP as Go's client does: redirects followed, only 200 is an answer.
 * @throws FetchFailure
 */
export async function fetchDocument(url: string, { caPem, headers = {} }: FetchDocument): Promise<FetchedDocument> {
  let target = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const isAsked = URL.parse(target)?.host === URL.parse(url)?.host;
    const { status, reason, location, ...document } = await askOnce(target, { caPem, headers: isAsked ? headers : {} });
    if (status === 200) return document;
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
      throw new FetchFailure(`status ${status}`, { status: `${status} ${reason}`, body: document.body });
    }
    target = new URL(location, target).href;
  }
  throw new FetchFailure(`stopped after ${maxRedirects} redirects`);
}

/** The readable certificates of a PEM text. Callers that need one refuse an empty list. */
export function readableCertificates(pem: string): readonly string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  return blocks.filter((block) => {
    try {
      return new X509Certificate(block) !== undefined;
    } catch {
      return false;
    }
  });
}

export interface Asking extends FetchDocument {
  /** Sent by POST; without one it is a GET. */
  readonly form?: URLSearchParams;
}

export interface Asked extends FetchedDocument {
  readonly status: number;
  readonly reason: string;
  readonly location: string | undefined;
}

/** One request; any status is an answer. @throws FetchFailure when there is no answer */
export async function askOnce(target: string, { caPem, headers = {}, form }: Asking): Promise<Asked> {
  const method = form === undefined ? "Get" : "Post";
  const url = parsedUrl(target, method);
  const secure = url.protocol === "https:";
  const options = {
    method: method.toUpperCase(),
    headers: form === undefined ? headers : { ...headers, "content-type": "application/x-www-form-urlencoded" },
    timeout: timeoutMs,
    agent: false,
    ...(secure && caPem !== "" ? { ca: [...readableCertificates(caPem)] } : {}),
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(new FetchFailure(`${method} ${JSON.stringify(url.href)}: ${goReason(error, url)}`));
    const request = (secure ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxBytes) request.destroy(new Error("document too large"));
      });
      response.on("error", fail);
      response.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8");
        const { statusCode: status = 0, statusMessage: reason = "" } = response;
        const { location, "content-type": contentType = "" } = response.headers;
        resolve({ status, reason, location, contentType, body });
      });
    });
    request.on("timeout", () => request.destroy(new Error("timed out")));
    request.on("error", fail);
    request.end(form?.toString());
  });
}

// Go's words for the most common errors; the others stay in Node's.
function goReason(error: NodeJS.ErrnoException, { hostname, port, protocol }: URL): string {
  if (error.code === "ECONNREFUSED") {
    return `dial tcp ${hostname}:${port || (protocol === "https:" ? 443 : 80)}: connect: connection refused`;
  }
  return untrusted.has(error.code ?? "")
    ? "tls: failed to verify certificate: x509: certificate signed by unknown authority"
    : error.message;
}

const untrusted: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function parsedUrl(text: string, method: string): URL {
  // Node would trim blanks and encode inner ones; Go refuses them or asks for another path.
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(text)?.[0].toLowerCase() ?? "";
    throw new FetchFailure(`${method} ${JSON.stringify(text)}: unsupported protocol scheme "${scheme}"`);
  }
  return url;
}
