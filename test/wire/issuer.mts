import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { signedJwts } from "./jwts.mts";

/** What scenarios know of the identity provider that configurations of the JWT method look at, by the names of their gaps. */
export interface Issuer {
  readonly places: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens an issuer on a free loopback port: a discovery document at `{issuer}`, its keys at `{issuer}/jwks`; `{jwt…}` are signed by it. */
export async function openIssuer(isUsed: (name: string) => boolean = () => true): Promise<Issuer> {
  let issuer = "";
  let keys: readonly unknown[] = [];
  const server = createServer((request, response) => {
    const pages: Readonly<Record<string, unknown>> = {
      "/.well-known/openid-configuration": {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ["RS256"],
        response_types_supported: ["code", "id_token"],
        subject_types_supported: ["public"],
      },
      "/jwks": { keys },
      "/no-keys": { keys: [] },
    };
    const page = pages[request.url ?? ""];
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify(page ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an AddressInfo.
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jwts = signedJwts(issuer, isUsed);
  keys = jwts.keys;
  return {
    places: { issuer, ...jwts.publicKeys, ...jwts.tokens },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
