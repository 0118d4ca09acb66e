import { Agent, EnvHttpProxyAgent, interceptors } from "undici";

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
}

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
  const follow = interceptors.redirect({ maxRedirections: REDIRECTS });
  const direct = new Agent(settings).compose(follow);
  const proxied = new EnvHttpProxyAgent({ ...settings, requestTls: settings.connect }).compose(follow);
  return async (request, signal) => {
    const dispatcher = isLoopback(request.url) ? direct : proxied;
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
  };
}

function isLoopback(url: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ""].flat().join(", ")]);
  return Object.fromEntries(pairs);
}
