import { JsonFailure } from "../framework/json-failure";
import { readJson } from "../framework/json-reader";
import { isWireList, isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import { FetchFailure, fetchDocument, readableCertificates } from "./fetch-document";

export interface DiscoveryCheck {
  readonly url: string;
  readonly caPem: string;
  /** With client credentials more of the document is read. */
  readonly hasClient: boolean;
}

/** Whether the discovery document can be had and names exactly this URL as its issuer (reference 2.1 check 3). */
export async function isDiscoverable({ url, caPem, hasClient }: DiscoveryCheck): Promise<boolean> {
  if (caPem !== "" && readableCertificates(caPem).length === 0) return false;
  const document = await jsonDocument(`${url.replace(/\/$/, "")}/.well-known/openid-configuration`, caPem);
  if (document === undefined || document["issuer"] !== url) return false;
  const texts = hasClient
    ? ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"]
    : ["jwks_uri"];
  if (!texts.every((name) => isAbsentOr(document[name], (value) => typeof value === "string"))) return false;
  const algorithms = document["id_token_signing_alg_values_supported"];
  return (
    !hasClient ||
    isAbsentOr(algorithms, (value) => isWireList(value) && value.every((name) => typeof name === "string"))
  );
}

async function jsonDocument(url: string, caPem: string): Promise<WireObject | undefined> {
  try {
    const document = readJson(await fetchDocument(url, { caPem }));
    return isWireObject(document) ? document : undefined;
  } catch (failure) {
    if (failure instanceof FetchFailure || failure instanceof JsonFailure) return undefined;
    throw failure;
  }
}

function isAbsentOr(value: WireValue | undefined, fits: (value: WireValue) => boolean): boolean {
  return value === undefined || value === null || fits(value);
}
