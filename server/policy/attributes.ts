import { z } from "zod";
import { unparsableBody, unprocessable } from "./json-api";

/** Rails casts scalars of a text attribute to text and reads null as blank; what it does with structures is unknown, so they are refused. */
export const text = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((value) => (value === null ? "" : String(value)));

/** Rails casts text to a boolean by its list of false words. */
export const flag = z
  .union([z.boolean(), z.string(), z.number(), z.null()])
  .transform((value) => !["", "0", "f", "false", "off", "null"].includes(String(value).toLowerCase()));

/**
 * A body read as this document.
 *
 * @throws JsonApiRefusal 400 when the body is not JSON, 422 when it is another document.
 */
export function documentIn<T>(body: string, document: z.ZodType<T>, type: string): T {
  const parsed = document.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  // A body that is no object has no data either.
  const path = issue === undefined || issue.path.length === 0 ? ["data"] : issue.path.map(String);
  throw unprocessable(detailAt(path, type), `/${path.join("/")}`);
}

function parseJson(body: string): unknown {
  if (body.trim() === "") return {};
  try {
    return JSON.parse(body);
  } catch {
    throw unparsableBody(body);
  }
}

function detailAt(path: readonly string[], type: string): string {
  return path.join(".") === "data.type" ? `data.type must be ${type}` : `${path.join(".")} is missing or malformed`;
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** What a request names; what it leaves out stays as it is. */
export function definedOnly<T extends object>(attributes: T): Given<T> {
  // The members that are left are those that have a value.
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Given<T>;
}
