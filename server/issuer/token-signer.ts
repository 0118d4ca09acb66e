import { generateKeyPair, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { SignJWT } from "jose";
import type { Claims } from "./issuer-users";

export interface TokenSigner {
  /** The document at `jwks_uri`. */
  readonly keySet: { readonly keys: readonly object[] };
  /** A JWT with exactly these claims. */
  sign(claims: Claims): Promise<string>;
}

const alg = "RS256";

export async function createTokenSigner(): Promise<TokenSigner> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const kid = randomUUID();
  return {
    keySet: { keys: [{ ...publicKey.export({ format: "jwk" }), kid, alg, use: "sig" }] },
    sign: (claims) => new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(privateKey),
  };
}
