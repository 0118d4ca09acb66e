import { X509Certificate } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** A document that could not be had: network, status, certificate or size. */
export class FetchFailure extends Error {}

const timeoutMs = 10_000;
const maxRedirects = 10;
const maxBytes = 10 * 1024 * 1024;

export interface FetchDocument {
  /** PEM certificates to trust instead of the system's; `""` for the system's. */
  readonly caPem: string;
}

/**
 * Gets a document over HTTP as Go's client does: redirects followed, only 200 is an answer.
 * @throws FetchFailure
 */
export async function fetchDocument(url: string, { caPem }: FetchDocument): Promise<string> {
  let target = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const { status, location, body } = await getOnce(parsedUrl(target), caPem);
    if (status === 200) return body;
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined)
      throw new FetchFailure(`status ${status}`);
    target = new URL(location, target).href;
  }
  throw new FetchFailure(`stopped after ${maxRedirects} redirects`);
}

/** The certificates of a PEM text that can be read; none is a failure for those who need one. */
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

interface Got {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
}

function getOnce(url: URL, caPem: string): Promise<Got> {
  const secure = url.protocol === "https:";
  const options = {
    timeout: timeoutMs,
    agent: false,
    ...(secure && caPem !== "" ? { ca: [...readableCertificates(caPem)] } : {}),
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new FetchFailure(error.message));
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
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, body });
      });
    });
    request.on("timeout", () => request.destroy(new Error("timed out")));
    request.on("error", fail);
    request.end();
  });
}

function parsedUrl(text: string): URL {
  // Node would trim blanks and encode inner ones; Go refuses them or asks for another path.
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new FetchFailure(`not an HTTP URL: ${text}`);
  return url;
}
