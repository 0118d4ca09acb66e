import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request, once. */
export type Transport = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpAnswer>;

export interface TransportOptions {
  /** PEM certificates of the authorities to trust, instead of the system's. */
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly skipVerify?: boolean;
  readonly timeoutMs: number;
  /** Put around every request, each hop of a redirect too: it may wait, look at the answer, or refuse to send. */
  readonly around?: Around;
}

export type Around = (send: Transport) => Transport;

const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 10_000;
/** A standby answers with a redirect to the active server. */
const REDIRECTS = 2;

/** A keep-alive transport. A proxy of the environment is used, but not for this machine's own addresses. */
export function createTransport(options: TransportOptions): Transport {
  const settings = {
    connections: CONNECTIONS,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      rejectUnauthorized: options.skipVerify !== true,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...(options.clientCertificate === undefined ? {} : { cert: options.clientCertificate }),
      ...(options.clientKey === undefined ? {} : { key: options.clientKey }),
    },
  };
  const direct = new Agent(settings);
  const proxied = new EnvHttpProxyAgent({ ...settings, requestTls: settings.connect });
  const straight: Transport = (request, signal) => once(isLoopback(request.url) ? direct : proxied, request, signal);
  const hop = options.around?.(straight) ?? straight;
  return async (request, signal) => {
    let { url, headers } = request;
    for (let hops = 0; ; hops++) {
      const answer = await hop({ ...request, url, headers }, signal);
      const next = hops < REDIRECTS ? redirectOf(request.method, url, answer) : undefined;
      if (next === undefined) return answer;
      if (next.origin !== url.origin) headers = withoutOwnCredentials(headers);
      url = next;
    }
  };
}

async function once(dispatcher: Dispatcher, request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer> {
  const answer = await dispatcher.request({
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: request.method,
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: flat(answer.headers), text };
}

/**
 * Where an answer leads on to. A write follows only what repeats it as it is: other redirects turn a POST into a GET,
 * which would look like a success. Credentials never go from https to http.
 */
function redirectOf(method: HttpRequest["method"], from: URL, answer: HttpAnswer): URL | undefined {
  const isMoved = answer.status === 307 || answer.status === 308;
  const isFound = method === "GET" && (answer.status === 301 || answer.status === 302);
  const { location } = answer.headers;
  if (!(isMoved || isFound) || location === undefined || !URL.canParse(location, from.href)) return undefined;
  const to = new URL(location, from.href);
  const isSafe = to.protocol === "https:" || (to.protocol === "http:" && from.protocol === "http:");
  return isSafe ? to : undefined;
}

/** Only Vault's standby sends its callers, with their token, to another host. */
function withoutOwnCredentials(headers: HttpRequest["headers"]): HttpRequest["headers"] {
  const { authorization: _, "x-consul-token": __, ...rest } = headers;
  return rest;
}

function isLoopback(url: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ""].flat().join(", ")]);
  return Object.fromEntries(pairs);
}
