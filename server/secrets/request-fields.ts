import { limitJson } from "../framework/body-limiter";
import { goJsonName } from "../framework/go-format";
import { JsonFailure } from "../framework/json-failure";
import { readJsonStream } from "../framework/json-reader";
import { Refusal } from "../framework/refusal";
import { isWireObject, type WireObject, type WireValue, wireValue } from "../framework/wire-value";

/**
 * What Vault's body limiter does before anything else: it looks only at bodies that begin with `{` or `[`, whatever the
 * method, and answers 500.
 * @throws Refusal
 */
export function limitBody(body: Buffer): void {
  if (!looksLikeJson(body)) return;
  try {
    limitJson(body.toString("utf8"));
  } catch (failure) {
    if (failure instanceof JsonFailure) throw new Refusal(failure.message, { status: 500 });
    throw failure;
  }
}

export interface BodyReading {
  readonly contentType: string | undefined;
  /** The text for a body that cannot be read, with Go's reason. */
  unparsable(reason: string): string;
}

/** The fields of a write: a JSON object or a form. @throws Refusal */
export function fieldsFromBody(body: Buffer, { contentType, unparsable }: BodyReading): WireObject {
  const isForm = contentType?.split(";")[0]?.trim() === "application/x-www-form-urlencoded";
  if (isForm && !looksLikeJson(body)) return formFields(body.toString("utf8"));
  try {
    const value = parsedBody(body);
    if (value === null || isWireObject(value)) return value ?? {};
    throw new JsonFailure(`json: cannot unmarshal ${goJsonName(value)} into Go value of type map[string]interface {}`);
  } catch (failure) {
    if (failure instanceof JsonFailure) throw new Refusal(unparsable(failure.message));
    throw failure;
  }
}

/** The fields of a read, list or delete: the query, a repeated key as a list, without `help`. */
export function fieldsFromQuery(query: string): WireObject {
  const fields: Record<string, WireValue> = Object.create(null);
  const parameters = queryParameters(query);
  for (const key of new Set(parameters.keys())) {
    if (key === "help") continue;
    const values = parameters.getAll(key);
    fields[key] = values.length > 1 ? values : (values[0] ?? "");
  }
  return fields;
}

/** The query as Go reads it: a parameter with a semicolon or a broken escape is dropped silently. */
export function queryParameters(query: string): URLSearchParams {
  return new URLSearchParams(query.split("&").filter(isWellFormed).join("&"));
}

function isWellFormed(pair: string): boolean {
  return !pair.includes(";") && !brokenEscape.test(pair);
}

const brokenEscape = /%(?![0-9a-fA-F]{2})/;

function parsedBody(body: Buffer): WireValue {
  const text = body.toString("utf8");
  return text.trim() === "" ? null : wireValue(readJsonStream(text));
}

function formFields(text: string): WireObject {
  // Go refuses escapes that URLSearchParams would repair.
  if (!isWellFormed(text)) throw new Refusal("error parsing form data");
  const fields: Record<string, WireValue> = Object.create(null);
  const parameters = new URLSearchParams(text);
  for (const key of new Set(parameters.keys())) fields[key] = parameters.getAll(key).join(",");
  return fields;
}

function looksLikeJson(body: Buffer): boolean {
  const first = body.findIndex((byte) => !blankBytes.has(byte));
  return body[first] === 0x7b || body[first] === 0x5b;
}

const blankBytes: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));
