import { isWireList, isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import { decodedDocument, undecodable } from "./decode-document";
import { type FetchedDocument, FetchFailure, fetchDocument, readableCertificates } from "./fetch-document";

export interface DiscoveryCheck {
  readonly url: string;
  readonly caPem: string;
  /** With client credentials more of the document is read. */
  readonly hasClient: boolean;
}

/** Whether the discovery document can be fetched and names exactly this URL as its issuer. */
export async function isDiscoverable({ url, caPem, hasClient }: DiscoveryCheck): Promise<boolean> {
  if (caPem !== "" && readableCertificates(caPem).length === 0) return false;
  const document = await discovered({ url, caPem }).catch(nothingFetched);
  if (document === undefined) return false;
  const texts = hasClient ? ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"] : [];
  if (!texts.every((name) => isAbsentOr(document[name], (value) => typeof value === "string"))) return false;
  const algorithms = document["id_token_signing_alg_values_supported"];
  return (
    !hasClient ||
    isAbsentOr(algorithms, (value) => isWireList(value) && value.every((name) => typeof name === "string"))
  );
}

/** The addresses in the discovery document; `""` for a missing one. */
export interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  readonly userInfo: string;
  readonly keys: string;
}

/** @throws FetchFailure in the words of Vault's library */
export async function discoveredEndpoints(source: { url: string; caPem: string }): Promise<Endpoints> {
  const document = await discovered(source);
  const url = (name: string) => (typeof document[name] === "string" ? document[name] : "");
  return {
    authorization: url("authorization_endpoint"),
    token: url("token_endpoint"),
    userInfo: url("userinfo_endpoint"),
    keys: url("jwks_uri"),
  };
}

async function discovered({ url, caPem }: { url: string; caPem: string }): Promise<WireObject> {
  const place = `${url.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const fetched = await fetchDocument(place, { caPem }).catch((failure) => {
    if (!(failure instanceof FetchFailure) || failure.answer === undefined) throw failure;
    throw new FetchFailure(`${failure.answer.status}: ${failure.answer.body}`);
  });
  const document = discoveryDocument(fetched);
  const { issuer } = document;
  if (issuer === url) return document;
  const got = typeof issuer === "string" ? issuer : "";
  throw new FetchFailure(
    `issuer did not match the returned issuer, expected ${JSON.stringify(url)} got ${JSON.stringify(got)}`,
  );
}

function discoveryDocument(fetched: FetchedDocument): WireObject {
  try {
    const document = decodedDocument(fetched);
    const hasUrl = isWireObject(document) && isAbsentOr(document["jwks_uri"], (value) => typeof value === "string");
    if (hasUrl) return document;
    throw undecodable(fetched, "json: cannot unmarshal it");
  } catch (failure) {
    if (!(failure instanceof FetchFailure)) throw failure;
    throw new FetchFailure(`failed to decode OIDC discovery document: ${failure.message}`);
  }
}

function nothingFetched(failure: unknown): undefined {
  if (!(failure instanceof FetchFailure)) throw failure;
}

function isAbsentOr(value: WireValue | undefined, fits: (value: WireValue) => boolean): boolean {
  return value === undefined || value === null || fits(value);
}
