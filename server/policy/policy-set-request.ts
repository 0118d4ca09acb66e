import { z } from "zod";
import { definedOnly, documentIn, flag, text } from "./attributes";
import { type PolicySetChanges, type Relation, relations, relationTypes } from "./policy-set";

/** Null where it is blank. */
const optionalText = text.transform((value) => (value === "" ? null : value));

const attributes = z.object({
  name: text.optional(),
  description: optionalText.optional(),
  kind: text.optional(),
  global: flag.optional(),
  overridable: z.union([z.null(), flag]).optional(),
  "agent-enabled": flag.optional(),
  "policy-tool-version": optionalText.optional(),
  "policies-path": optionalText.optional(),
  "vcs-repo": z.record(z.string(), z.unknown()).nullable().optional(),
});

const identifiersOf = (relation: Relation) =>
  z
    .array(z.object({ id: z.string(), type: z.literal(relationTypes[relation]) }))
    .transform((list) => [...new Set(list.map(({ id }) => id))]);

const linked = Object.fromEntries(
  relations.map((relation) => [relation, z.object({ data: identifiersOf(relation) }).optional()]),
);

const document = z.object({
  data: z.object({
    type: z.literal("policy-sets"),
    attributes: attributes.optional(),
    relationships: z.object(linked).optional(),
  }),
});

/**
 * Reads a create or update body. Unknown attributes and relationships are ignored.
 *
 * @throws JsonApiRefusal 400 when the body is not JSON, 422 when it is not a `policy-sets` document.
 */
export function parsePolicySetRequest(body: string): PolicySetChanges {
  const { data } = documentIn(body, document, "policy-sets");
  const related = Object.entries(definedOnly(data.relationships ?? {})).map(([name, { data: ids }]) => [name, ids]);
  return { attributes: definedOnly(data.attributes ?? {}), related: Object.fromEntries(related) };
}

/** Reads the ids that a request adds to a relationship, or takes from it. */
export function parseIdentifiers(body: string, relation: Relation): readonly string[] {
  return documentIn(body, z.object({ data: identifiersOf(relation) }), relationTypes[relation]).data;
}
