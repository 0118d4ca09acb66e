import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ProviderError } from "../../../provider/core/errors";
import { codeOf } from "../../../provider/http/send";
import { callbackPage, type PageName } from "./callback-page";

/** Where the program waits for the browser, and what the browser calls that place. */
export interface CallbackPlace {
  readonly listenAddress: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly scheme: "http" | "https";
  readonly host: string;
  /** That of the listener when unset; another one where something between hands requests on. */
  readonly callbackPort?: number | undefined;
}

/** The answer that the browser has brought. It waits for a page. */
export interface Callback {
  readonly query: URLSearchParams;
  show(page: PageName): Promise<void>;
}

export interface CallbackListener {
  readonly redirectUri: string;
  /** The first answer to the login that has this state. */
  callback(state: string): Promise<Callback>;
  close(): void;
}

const PATIENCE_MS = 2_000;
const PATH = "/oidc/callback";

/** Listens for one answer. @throws ConfigError where it cannot listen */
export async function openCallbackListener(place: CallbackPlace): Promise<CallbackListener> {
  const server = createServer(answer);
  const came = Promise.withResolvers<Callback>();
  let awaited: string | undefined;
  server.listen({ host: place.listenAddress, port: place.port });
  await once(server, "listening").catch((error: unknown) => {
    throw unheard(place, codeOf(error));
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : place.port;
  const redirect = new URL(`${place.scheme}://${urlHost(place.host)}:${place.callbackPort ?? port}${PATH}`);

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const show = (name: PageName, status?: number) => {
      const page = callbackPage(name);
      response.writeHead(status ?? page.status, page.headers).end(page.body);
      // Whoever does not read the page does not hold up the login.
      return once(response, "close", { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
        () => {},
        () => {},
      );
    };
    const url = URL.parse(request.url ?? "", redirect.href);
    // Another name leads here where somebody's DNS says so (DNS rebinding).
    if (request.headers.host?.toLowerCase() !== redirect.host) return void show("refused");
    if (url?.pathname !== PATH) return void show("refused", 404);
    if (request.method !== "GET") return void show("refused", 405);
    const { searchParams: query } = url;
    const isOurs = awaited !== undefined && query.getAll("state").join() === awaited;
    if (!isOurs || query.getAll("code").length > 1) return void show("refused");
    // A second answer to the same login is none.
    awaited = undefined;
    came.resolve({ query, show });
  }

  return {
    redirectUri: redirect.href,
    callback(state) {
      awaited = state;
      return came.promise;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A host as it stands in an address. */
export function urlHost(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

function unheard({ listenAddress, port }: CallbackPlace, code: string): ProviderError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program listens there. End it, or give another --port, which the identity provider must allow",
    EACCES: "this user may not. Give a --port from 1024",
    EADDRNOTAVAIL: "this machine does not have that address. Correct --listen-address",
    ENOTFOUND: "there is no such host. Correct --listen-address",
  };
  const reason = reasons[code] ?? code;
  return new ProviderError("ConfigError", `cannot listen for the browser on ${listenAddress}:${port}: ${reason}.`);
}
