import { createPublicKey } from "node:crypto";
import type { JWK } from "jose";
import { isNumberText, type WireObject, type WireValue } from "../framework/wire-value";
import { FetchFailure, fetchDocument, readableCertificates } from "./fetch-document";

/** Where keys are. */
export interface KeySource {
  readonly url: string;
  /** `""` for the system's certificates. */
  readonly caPem: string;
}

/** What is wrong with a key set, in Vault's words (reference 2.1 checks 7 and 8); `undefined` when it is usable. */
export async function keySetProblem(source: KeySource): Promise<string | undefined> {
  if (source.caPem !== "" && readableCertificates(source.caPem).length === 0) return "error checking jwks_ca_pem";
  try {
    await fetchKeySet(source);
    return undefined;
  } catch (failure) {
    if (failure instanceof FetchFailure) return `error checking jwks URL ${source.url}`;
    throw failure;
  }
}

/** The keys there. @throws FetchFailure in the words of Vault's library */
export async function fetchKeySet({ url, caPem }: KeySource): Promise<readonly JWK[]> {
  const body = await fetchDocument(url, { caPem }).catch((failure) => {
    if (!(failure instanceof FetchFailure)) throw failure;
    const { answer } = failure;
    const reason = answer === undefined ? ` ${failure.message}` : `: ${answer.status} ${answer.body}`;
    throw new FetchFailure(`oidc: get keys failed${reason}`);
  });
  const keys = keysFrom(body);
  if (keys === undefined) throw new FetchFailure(`oidc: failed to decode keys: ${body}`);
  return keys;
}

/** A member of `jwks_pairs`; `undefined` when it names no URL, or something that is no text. */
export function keySourceFrom(pair: WireObject): KeySource | undefined {
  const [url, caPem] = [pairText(pair["jwks_url"]), pairText(pair["jwks_ca_pem"] ?? "")];
  return url === undefined || caPem === undefined ? undefined : { url, caPem };
}

// A number is text to Go's decoder.
function pairText(value: WireValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  return isNumberText(value) ? value.rawJSON : undefined;
}

// Go decodes into a struct: null and missing members are fine, one key that it cannot read spoils the set.
function keysFrom(body: string): readonly JWK[] | undefined {
  const document = parsedJson(body);
  if (document === null) return [];
  if (typeof document !== "object" || Array.isArray(document)) return undefined;
  const keys: unknown = Reflect.get(document, "keys") ?? [];
  return Array.isArray(keys) && keys.every(isKey) ? keys : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKey(key: unknown): key is JWK {
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
