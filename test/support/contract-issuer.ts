import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK } from "jose";
import { onTestFinished } from "vitest";
import { createCertificateAuthority } from "../../server/cluster/certificate-authority.ts";

/** An identity provider on the loopback, as far as a configuration of the JWT auth method looks at it. */
export interface Issuer {
  /** The discovery URL, which is the issuer. */
  readonly url: string;
  readonly jwksUrl: string;
}

/** One key of this run for all issuers: making one takes longer than a whole test. */
const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Opens an issuer that goes away with the test. */
export async function openIssuer(): Promise<Issuer> {
  const keys = [{ ...(await exportJWK(publicKey)), kid: "one", use: "sig", alg: "RS256" }];
  let url = "";
  const server = createServer((request, response) => {
    const discovery = {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      id_token_signing_alg_values_supported: ["RS256"],
      response_types_supported: ["code", "id_token"],
      subject_types_supported: ["public"],
    };
    const pages: Readonly<Record<string, unknown>> = {
      "/.well-known/openid-configuration": discovery,
      "/jwks": { keys },
    };
    const page = pages[request.url ?? ""];
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify(page ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an AddressInfo.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url, jwksUrl: `${url}/jwks` };
}

/** A public key of this run, PEM with its final newline. */
export function publicKeyPem(kind: "rsa" | "ec" | "ed25519" = "ec"): string {
  const pair = {
    rsa: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
    ec: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
    ed25519: () => generateKeyPairSync("ed25519"),
  }[kind]();
  return pair.publicKey.export({ type: "spki", format: "pem" }).toString();
}

/** A CA certificate of this run, PEM with its final newline. */
export function caPem(): string {
  return createCertificateAuthority({ now: new Date() }).rootPem;
}
