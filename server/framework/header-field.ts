import { CoercionFailure } from "./coercion-failure";
import { goJsonName, goValueText } from "./go-format";
import { goQuoted } from "./go-quoted";
import { JsonFailure } from "./json-failure";
import { readJsonStream } from "./json-reader";
import { isNumberText, isWireList, isWireObject, type WireObject, type WireValue, wireValue } from "./wire-value";

/** The headers of a request, by their names as Go writes them. */
export type HeaderValues = ReadonlyMap<string, readonly string[]>;

/** Reads headers as Vault does: a map, JSON with one, also in base 64, or a list of `name:value`. @throws CoercionFailure */
export function headerValues(value: WireValue): HeaderValues {
  const map = mapIn(value);
  if (map !== undefined) return headersOf(map);
  if (typeof value === "string") return headersOf(mapFromText(value));
  const headers = new Map<string, string[]>();
  for (const pair of isWireList(value) ? value : [value]) {
    const [, name, text = ""] = (typeof pair === "string" && /^([^:]+):(.*)$/s.exec(pair)) || [];
    if (name === undefined) throw said(`invalid key pair ${goQuoted(typeof pair === "string" ? pair : "")}`);
    add(headers, name, text);
  }
  return headers;
}

/** A header's name as Go writes it (`textproto.CanonicalMIMEHeaderKey`). */
export function canonicalHeader(name: string): string {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return name;
  return name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function mapIn(value: WireValue): WireObject | undefined {
  if (value === null) return {};
  if (isWireObject(value)) return value;
  if (!isWireList(value)) return undefined;
  const maps = value.map(mapIn);
  return maps.every((each) => each !== undefined) ? Object.assign({}, ...maps) : undefined;
}

function mapFromText(text: string): WireObject {
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
  const json = isBase64 ? Buffer.from(text, "base64").toString("utf8") : text;
  if (json === "") throw said("'data' being decoded is nil");
  try {
    const value = wireValue(readJsonStream(json));
    if (value === null || isWireObject(value)) return value ?? {};
    throw said(`json: cannot unmarshal ${goJsonName(value)} into Go value of type map[string]interface {}`);
  } catch (failure) {
    throw failure instanceof JsonFailure ? said(failure.message) : failure;
  }
}

function headersOf(map: WireObject): HeaderValues {
  const headers = new Map<string, string[]>();
  for (const [name, value] of Object.entries(map)) {
    if (!isWireList(value) && textOf(value) === undefined) throw said(`unrecognized type for ${goValueText(value)}`);
    for (const each of isWireList(value) ? value : [value]) {
      const text = textOf(each);
      if (text === undefined) {
        throw said(`received non-string value for header key:${name}, val:${goValueText(value)}`);
      }
      add(headers, name, text);
    }
  }
  return headers;
}

function textOf(value: WireValue): string | undefined {
  if (typeof value === "string") return value;
  return isNumberText(value) ? value.rawJSON : undefined;
}

function add(headers: Map<string, string[]>, name: string, text: string): void {
  const key = canonicalHeader(name);
  headers.set(key, [...(headers.get(key) ?? []), text]);
}

function said(text: string): CoercionFailure {
  return new CoercionFailure({ kind: "said", text });
}
