import { createPublicKey, type KeyObject } from "node:crypto";
import { goJsonName } from "../framework/go-format";
import { isNumberText, isWireList, isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import { decodedDocument, undecodable } from "./decode-document";
import { type FetchedDocument, FetchFailure, fetchDocument, readableCertificates } from "./fetch-document";

/** Where keys are. */
export interface KeySource {
  readonly url: string;
  /** `""` for the system's certificates. */
  readonly caPem: string;
}

/** What is wrong with a key set; `undefined` when it is usable. */
export async function keySetProblem(
  source: KeySource,
  problemAt: (url: string) => string,
): Promise<string | undefined> {
  if (source.caPem !== "" && readableCertificates(source.caPem).length === 0) return "error checking jwks_ca_pem";
  try {
    await fetchKeySet(source);
    return undefined;
  } catch (failure) {
    if (failure instanceof FetchFailure) return problemAt(source.url);
    throw failure;
  }
}

export interface VerifyingKey {
  readonly kid: string | undefined;
  readonly key: KeyObject;
}

/** The public keys there. @throws FetchFailure in the words of Vault's library */
export async function fetchKeySet({ url, caPem }: KeySource): Promise<readonly VerifyingKey[]> {
  const document = await fetchDocument(url, { caPem }).catch((failure) => {
    if (!(failure instanceof FetchFailure)) throw failure;
    const { answer } = failure;
    const reason = answer === undefined ? ` ${failure.message}` : `: ${answer.status} ${answer.body}`;
    throw new FetchFailure(`oidc: get keys failed${reason}`);
  });
  try {
    return keysFrom(document);
  } catch (failure) {
    if (!(failure instanceof FetchFailure)) throw failure;
    throw new FetchFailure(`oidc: failed to decode keys: ${failure.message} ${document.body}`);
  }
}

/** A member of `jwks_pairs`; `undefined` when it names no URL, or has a member that is not a string. */
export function keySourceFrom(pair: WireObject): KeySource | undefined {
  const [url, caPem] = [pairText(pair["jwks_url"]), pairText(pair["jwks_ca_pem"] ?? "")];
  return url === undefined || caPem === undefined ? undefined : { url, caPem };
}

// A number is text to Go's decoder.
function pairText(value: WireValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  return isNumberText(value) ? value.rawJSON : undefined;
}

// Go decodes into a struct: null and missing members are fine, one unreadable key makes the whole set unusable.
function keysFrom(document: FetchedDocument): readonly VerifyingKey[] {
  const decoded = decodedDocument(document) ?? {};
  const target = "Go value of type jose.JSONWebKeySet";
  if (!isWireObject(decoded))
    throw undecodable(document, `json: cannot unmarshal ${goJsonName(decoded)} into ${target}`);
  const keys = decoded["keys"] ?? [];
  if (!isWireList(keys)) {
    const field = "Go struct field JSONWebKeySet.keys of type []jose.JSONWebKey";
    throw undecodable(document, `json: cannot unmarshal ${goJsonName(keys)} into ${field}`);
  }
  return keys.flatMap((key) => {
    const read = keyFrom(key);
    if (read === undefined) throw undecodable(document, "go-jose/go-jose: invalid key");
    return read;
  });
}

/** `undefined` for a key that Go cannot read, an empty list for a symmetric key. */
function keyFrom(value: WireValue): VerifyingKey | [] | undefined {
  if (!isWireObject(value)) return undefined;
  const { kty, k, crv, kid } = value;
  if (kty === "oct") return typeof k === "string" ? [] : undefined;
  if (kty === "OKP" && crv !== "Ed25519") return undefined;
  try {
    const key = createPublicKey({ key: { ...value }, format: "jwk" });
    return key.type === "public" ? { key, kid: typeof kid === "string" ? kid : undefined } : undefined;
  } catch {
    return undefined;
  }
}
