import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import type { Dispatcher } from "undici";
import { ProviderError } from "../core/errors";
import { proxyFor } from "./proxy";

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
  /** Asked for in TLS, and looked for in the server's certificate, in place of the address's host. */
  readonly serverName?: string;
  /** The longest time for one request, redirects and the whole body included. */
  readonly timeoutMs: number;
  /** Which redirects are followed. @default "own origin" */
  readonly redirects?: Redirects;
  /** Wraps every request, redirects included: it may wait, look at the answer, or refuse to send. */
  readonly around?: Around;
}

export type Around = (send: Transport) => Transport;

/**
 * None; those to the same scheme, host and port; or also those by which a standby of Vault hands a request, with its
 * token, to the active node: by a 307 that repeats the path and the query. No other origin is to see a token or a body.
 */
export type Redirects = "none" | "own origin" | "active node";

/** More requests at once would wait for a connection. */
export const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 10_000;
const REDIRECTS = 2;
/** The largest answer that is read: as much as Vault takes for a request. */
const LARGEST_BODY = 32 * 2 ** 20;
/** The longest time that a timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A keep-alive transport. A proxy of the environment is used, but not for this machine's own addresses. */
export function createTransport(options: TransportOptions): Transport {
  let dispatchers: Promise<(url: URL) => Dispatcher> | undefined;
  const straight: Transport = async (request, signal) => {
    dispatchers ??= dispatchersWith(options);
    return once((await dispatchers)(request.url), request, signal);
  };
  const hop = options.around?.(straight) ?? straight;
  return (request, signal) =>
    withinTime(options.timeoutMs, signal, async (ended) => {
      for (let [url, hops] = [request.url, 0]; ; hops++) {
        const answer = await hop({ ...request, url }, ended);
        const next = hops < REDIRECTS ? redirectOf(request.method, url, answer) : undefined;
        if (next === undefined || !isFollowed(options.redirects ?? "own origin", url, next, answer)) return answer;
        url = next;
      }
    });
}

/** Loads the library with the first request: a CLI starts a provider several times for a command, and most send nothing. */
async function dispatchersWith(options: TransportOptions): Promise<(url: URL) => Dispatcher> {
  const { Agent, ProxyAgent } = await import("undici");
  const settings = {
    connections: CONNECTIONS,
    // One time limit holds for the whole answer: a slow body does not extend it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      rejectUnauthorized: options.skipVerify !== true,
      ...tlsOptions(options),
    },
  };
  const direct = new Agent(settings);
  const through = new Map<string, Dispatcher>();
  return (url) => {
    const { proxy } = proxyFor(url, process.env);
    if (proxy === undefined) return direct;
    const agent =
      through.get(proxy.url) ?? new ProxyAgent({ ...settings, uri: proxy.url, requestTls: settings.connect });
    through.set(proxy.url, agent);
    return agent;
  };
}

/** Whom to trust, and who asks, as Node's TLS takes it. */
export function tlsOptions({ ca, clientCertificate, clientKey, serverName }: Partial<TransportOptions>) {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(clientCertificate === undefined ? {} : { cert: clientCertificate }),
    ...(clientKey === undefined ? {} : { key: clientKey }),
    ...(serverName === undefined ? {} : nameOptions(serverName)),
  };
}

function nameOptions(name: string) {
  return {
    // An address is no name that could be asked for (RFC 6066, section 3).
    ...(isIP(name) ? {} : { servername: name }),
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate),
  };
}

/** Does the work until the time is over, or the caller gives up. */
async function withinTime<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const late = () => controller.abort(new Error(`the answer was not complete after ${timeoutMs / 1000} s. ${LATE}`));
  const stop = () => controller.abort(signal?.reason);
  const timer = setTimeout(late, Math.min(timeoutMs, LONGEST_TIMER_MS));
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

const LATE = "Where that is usual, raise `timeoutSeconds` of the connection.";

async function once(dispatcher: Dispatcher, request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer> {
  const answer = await dispatcher.request({
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: request.method,
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: answer.statusCode, headers: flat(answer.headers), text: await textOf(request, answer.body) };
}

/** Leaving the loop ends the connection, so that nothing more of an endless body comes. */
async function textOf({ method, url }: HttpRequest, body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_BODY) {
      const most = `${LARGEST_BODY / 2 ** 20} MiB`;
      const what = `the answer from ${url.origin} is larger than ${most} (${method} ${url.pathname})`;
      throw new ProviderError("ResponseError", `${what}. Check the address, and what lies between.`);
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * Where an answer leads on to. A write follows only what repeats it as it is: other redirects turn a POST into a GET,
 * which would look like a success. Nothing goes from https to http.
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

function isFollowed(redirects: Redirects, from: URL, to: URL, { status }: HttpAnswer): boolean {
  if (redirects === "none") return false;
  if (to.origin === from.origin) return true;
  // What stands before the node may have its own prefix of the path; a page to sign in has another path.
  const isSame = to.pathname.length > 1 && decoded(from).endsWith(decoded(to)) && to.search === from.search;
  return redirects === "active node" && status === 307 && isSame;
}

/** Vault writes fewer characters of a path as escapes than a browser does. */
function decoded({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ""].flat().join(", ")]);
  return Object.fromEntries(pairs);
}
