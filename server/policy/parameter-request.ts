import { z } from "zod";
import { unparsableBody, unprocessable } from "./json-api";
import type { ParameterChanges } from "./parameter-rules";

/** Rails casts scalars of a text attribute to text and reads null as blank; what it does with structures is unknown, so they are refused. */
const text = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((value) => (value === null ? "" : String(value)));

/** Rails casts text to a boolean by its list of false words. */
const flag = z
  .union([z.boolean(), z.string(), z.number(), z.null()])
  .transform((value) => !["", "0", "f", "false", "off", "null"].includes(String(value).toLowerCase()));

const document = z.object({
  data: z.object({
    type: z.literal("vars"),
    attributes: z
      .object({ key: text.optional(), value: text.optional(), category: text.optional(), sensitive: flag.optional() })
      .optional(),
  }),
});

/**
 * Reads the attributes of a create or update body.
 *
 * Unknown attributes are ignored, as is `data.id`: go-tfe never sends it.
 *
 * @throws JsonApiRefusal 400 when the body is not JSON, 422 when it is not a `vars` document.
 */
export function parseParameterRequest(body: string): ParameterChanges {
  const parsed = document.safeParse(parseJson(body));
  if (parsed.success) return definedOnly(parsed.data.data.attributes ?? {});
  const [issue] = parsed.error.issues;
  // A body that is no object has no data either.
  const path = issue === undefined || issue.path.length === 0 ? ["data"] : issue.path.map(String);
  throw unprocessable(detailAt(path), `/${path.join("/")}`);
}

function parseJson(body: string): unknown {
  if (body.trim() === "") return {};
  try {
    return JSON.parse(body);
  } catch {
    throw unparsableBody(body);
  }
}

function detailAt(path: readonly string[]): string {
  return path.join(".") === "data.type" ? "data.type must be vars" : `${path.join(".")} is missing or malformed`;
}

type Attributes = { [name in keyof ParameterChanges]?: ParameterChanges[name] | undefined };

function definedOnly(attributes: Attributes): ParameterChanges {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
