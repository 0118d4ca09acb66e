import type { Exchange, Incoming, Outgoing } from "./exchange";

export interface FetchService {
  /** `info` has the method and the path as they were sent; the Request has them as the Fetch standard writes them. */
  fetch(
    request: Request,
    info: Pick<Incoming, "remoteAddress" | "localAddress" | "method" | "path">,
  ): Response | Promise<Response>;
}

// The Fetch standard forbids some methods in a Request, and writes others in capitals
// (https://fetch.spec.whatwg.org/#methods). The services see them as unknown methods.
const forbiddenMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);
const capitalizedMethods: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);
const standIn = "OTHER";

/** Puts a service that speaks the Fetch standard's Request and Response behind a listener. */
export function fetchExchange(service: FetchService): Exchange {
  return async (incoming) => {
    const { remoteAddress, localAddress, method, path } = incoming;
    const response = await service.fetch(requestFrom(incoming), { remoteAddress, localAddress, method, path });
    return outgoingFrom(response);
  };
}

function requestFrom(incoming: Incoming): Request {
  const query = incoming.query === "" ? "" : `?${incoming.query}`;
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD" && incoming.body.length > 0;
  const base = baseAddress(incoming.headers["host"]);
  return new Request(`${base}${literalPath(incoming.path)}${query}`, {
    method: requestMethod(incoming.method),
    signal: incoming.clientGone(),
    headers: { ...incoming.headers },
    ...(hasBody ? { body: new Uint8Array(incoming.body) } : {}),
  });
}

/** Go's servers accept a Host header that is not a valid host. */
function baseAddress(host = "localhost"): string {
  return URL.canParse(`http://${host}`) ? `http://${host}` : "http://localhost";
}

function requestMethod(method: string): string {
  const capitals = method.toUpperCase();
  const isChanged = forbiddenMethods.has(capitals) || (capitals !== method && capitalizedMethods.has(capitals));
  return isChanged ? standIn : method;
}

/** `URL` would turn a backslash into a slash, and resolve dot segments. */
function literalPath(path: string): string {
  return path
    .replaceAll("\\", "%5C")
    .replace(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (dots) => dots.replace(/\.|%2e/gi, "%252e"));
}

async function outgoingFrom(response: Response): Promise<Outgoing> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
