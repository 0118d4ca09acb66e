import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import type { Claims } from "./issuer-users";

export interface TokenSigner {
  /** The document at `jwks_uri`. */
  readonly keySet: { readonly keys: readonly object[] };
  /** A JWT with exactly these claims. */
  sign(claims: Claims): Promise<string>;
}

const alg = "RS256";

/** A private key, as PEM. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return String(privateKey.export({ type: "pkcs8", format: "pem" }));
}

export function createTokenSigner(pem: string): TokenSigner {
  const [privateKey, publicKey] = [createPrivateKey(pem), createPublicKey(pem)];
  const kid = createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64url");
  return {
    keySet: { keys: [{ ...publicKey.export({ format: "jwk" }), kid, alg, use: "sig" }] },
    sign: (claims) => new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(privateKey),
  };
}
