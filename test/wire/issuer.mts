import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What scenarios know of the identity provider that configurations of the JWT method look at, by the names of their gaps. */
export interface Issuer {
  readonly places: Readonly<Record<"issuer" | "publicKey" | "jwt", string>>;
  close(): Promise<void>;
}

/** Opens an issuer on a free loopback port: a discovery document at `{issuer}`, its keys at `{issuer}/jwks`; `{jwt}` is signed by it. */
export async function openIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let issuer = "";
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
      "/jwks": { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] },
    };
    const page = pages[request.url ?? ""];
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify(page ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an AddressInfo.
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString().trim();
  return {
    places: { issuer, publicKey: pem, jwt: signedJwt(issuer, privateKey) },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function signedJwt(issuer: string, key: KeyObject): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: issuer, sub: "repo:acme/site", aud: "trustplane", iat: now, exp: now + 3600 };
  const signed = `${part({ alg: "RS256", kid: "one" })}.${part(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}
