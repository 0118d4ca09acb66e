import { createPublicKey } from "node:crypto";
import { FetchFailure, fetchDocument, readableCertificates } from "./fetch-document";

/** What is wrong with a key set, in Vault's words (reference 2.1 checks 7 and 8); `undefined` when it is usable. */
export async function keySetProblem({ url, caPem }: { url: string; caPem: string }): Promise<string | undefined> {
  if (caPem !== "" && readableCertificates(caPem).length === 0) return "error checking jwks_ca_pem";
  return (await hasKeys(url, caPem)) ? undefined : `error checking jwks URL ${url}`;
}

async function hasKeys(url: string, caPem: string): Promise<boolean> {
  try {
    return isKeySet(JSON.parse(await fetchDocument(url, { caPem })));
  } catch (failure) {
    if (failure instanceof FetchFailure || failure instanceof SyntaxError) return false;
    throw failure;
  }
}

// Go decodes into a struct: null and missing members are fine, one key that it cannot read spoils the set.
function isKeySet(document: unknown): boolean {
  if (document === null) return true;
  if (typeof document !== "object" || Array.isArray(document)) return false;
  const keys: unknown = Reflect.get(document, "keys");
  if (keys === undefined || keys === null) return true;
  return Array.isArray(keys) && keys.every(isKey);
}

function isKey(key: unknown): boolean {
  if (typeof key !== "object" || key === null) return false;
  const members: Record<string, unknown> = { ...key };
  if (members["kty"] === "oct") return typeof members["k"] === "string";
  if (members["kty"] === "OKP" && members["crv"] !== "Ed25519") return false;
  try {
    return createPublicKey({ key: members, format: "jwk" }).type === "public";
  } catch {
    return false;
  }
}
