import { JsonFailure } from "../framework/json-failure";
import { readJson } from "../framework/json-reader";
import { type WireValue, wireValue } from "../framework/wire-value";
import { type FetchedDocument, FetchFailure } from "./fetch-document";

/** The JSON of a fetched document. @throws FetchFailure */
export function decodedDocument(document: FetchedDocument): WireValue {
  try {
    return wireValue(readJson(document.body));
  } catch (failure) {
    if (failure instanceof JsonFailure) throw undecodable(document, failure.message);
    throw failure;
  }
}

/** The error for a malformed document. Vault's library blames the media type. */
export function undecodable({ contentType }: FetchedDocument, reason: string): FetchFailure {
  const isJson = contentType.split(";")[0]?.trim().toLowerCase() === "application/json";
  return new FetchFailure(
    isJson
      ? `got Content-Type = application/json, but could not unmarshal as JSON: ${reason}`
      : `expected Content-Type = application/json, got ${JSON.stringify(contentType)}: ${reason}`,
  );
}
