import type { Exchange, Incoming, Outgoing } from "./exchange";

export interface FetchService {
  fetch(request: Request, info: Pick<Incoming, "remoteAddress" | "localAddress">): Response | Promise<Response>;
}

// The Fetch standard forbids these in a Request (https://fetch.spec.whatwg.org/#forbidden-method).
const forbiddenMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Puts a service that speaks the Fetch standard's Request and Response behind a listener. */
export function fetchExchange(service: FetchService): Exchange {
  return async (incoming) => {
    if (forbiddenMethods.has(incoming.method)) return { status: 405, headers: {}, body: "" };
    const { remoteAddress, localAddress } = incoming;
    const response = await service.fetch(requestFrom(incoming), { remoteAddress, localAddress });
    return outgoingFrom(response);
  };
}

function requestFrom(incoming: Incoming): Request {
  const query = incoming.query === "" ? "" : `?${incoming.query}`;
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD" && incoming.body.length > 0;
  const host = incoming.headers["host"] ?? "localhost";
  return new Request(`http://${host}${incoming.path}${query}`, {
    method: incoming.method,
    signal: incoming.clientGone(),
    headers: { ...incoming.headers },
    ...(hasBody ? { body: new Uint8Array(incoming.body) } : {}),
  });
}

async function outgoingFrom(response: Response): Promise<Outgoing> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
