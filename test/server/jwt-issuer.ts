import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface Document {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

export interface Issuer {
  readonly url: string;
  /** What was asked for, in order. */
  readonly asked: string[];
  /** Puts a document at a path and answers its URL. */
  put(path: string, document: Document): string;
  /** Puts a discovery document below a path and answers the URL to configure. */
  putDiscovery(path: string, change?: Record<string, unknown>, document?: Partial<Document>): string;
}

/** An identity provider that serves whatever a test puts there. */
export async function startIssuer(): Promise<Issuer> {
  const documents = new Map<string, Document>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const { status = 200, headers = {}, body } = documents.get(path) ?? { status: 404, body: "" };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  // A TCP server that listens has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const put = (path: string, document: Document) => {
    documents.set(path, document);
    return `${url}${path}`;
  };
  return {
    url,
    asked,
    put,
    putDiscovery: (path, change = {}, document = {}) => {
      const discovery = {
        issuer: `${url}${path}`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
        ...change,
      };
      const place = `${path.replace(/\/$/, "")}/.well-known/openid-configuration`;
      put(place, { body: JSON.stringify(discovery), ...document });
      return `${url}${path}`;
    },
  };
}
