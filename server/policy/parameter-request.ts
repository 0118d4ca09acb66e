import { z } from "zod";
import { definedOnly, documentIn, flag, text } from "./attributes";
import type { ParameterChanges } from "./parameter-rules";

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
  return definedOnly(documentIn(body, document, "vars").data.attributes ?? {});
}
