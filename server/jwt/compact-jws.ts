import { goJsonName } from "../framework/go-format";
import { JsonFailure } from "../framework/json-failure";
import { readJson } from "../framework/json-reader";
import { isWireObject, type WireObject, type WireValue, wireValue } from "../framework/wire-value";

/** Why a token or a key set is invalid, in the words of Vault's libraries. */
export class TokenFailure extends Error {}

export interface CompactJws {
  /** The token without blanks, as it was signed. */
  readonly text: string;
  readonly header: WireObject;
  readonly payload: Buffer;
}

/** Splits a compact JWS without checking its signature. @throws TokenFailure */
export function parseCompactJws(token: string): CompactJws {
  const text = token.replace(/\s+/g, "");
  const parts = text.split(".");
  if (parts.length !== 3) throw new TokenFailure("go-jose/go-jose: compact JWS format must have three parts");
  const [header = Buffer.alloc(0), payload = Buffer.alloc(0)] = parts.map(decodedBase64);
  return { text, header: headerFrom(header.toString("utf8")), payload };
}

function decodedBase64(text: string): Buffer {
  const at = text.search(/[^A-Za-z0-9_-]/);
  // Four letters are three bytes: one letter left over is as illegal as a letter of another alphabet.
  const illegal = at >= 0 ? at : text.length % 4 === 1 ? text.length - 1 : undefined;
  if (illegal !== undefined) throw new TokenFailure(`illegal base64 data at input byte ${illegal}`);
  return Buffer.from(text, "base64url");
}

function headerFrom(text: string): WireObject {
  return text === "" ? {} : decodedObject(text, "jose.rawHeader");
}

/** A JSON object as Go decodes it into a map of the named type. @throws TokenFailure */
export function decodedObject(text: string, type: string): WireObject {
  const value = decodedJson(text);
  if (value === null || isWireObject(value)) return value ?? {};
  throw new TokenFailure(`json: cannot unmarshal ${goJsonName(value)} into Go value of type ${type}`);
}

function decodedJson(text: string): WireValue {
  try {
    return wireValue(readJson(text));
  } catch (failure) {
    if (failure instanceof JsonFailure) throw new TokenFailure(failure.message);
    throw failure;
  }
}
