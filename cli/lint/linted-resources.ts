import { ProviderError } from "../../provider/core/errors";
import { HIDDEN, judgedValues } from "../changes/resource-changes";
import { classOf, partsOfUrn } from "../changes/resource-type";
import type { PreviewStep } from "../comment/preview";
import { readPreview } from "../comment/read-preview";
import { recordedStack } from "../drift/recorded-stack";
import type { Linted } from "./lint";

/**
 * The resources in what `pulumi preview --json`, the engine's event log or `pulumi stack export` wrote. Throws for
 * anything else, and for a preview that failed: what is missing from it was not looked at.
 */
export function lintedResources(text: string): readonly Linted[] {
  const preview = readPreview(text);
  if (preview === undefined) return recordedResources(text);
  if (preview.errors.length > 0)
    throw new ProviderError("InputError", "the preview failed, so its resources are not all there: correct it first.");
  return lintedSteps([...preview.steps, ...preview.same]);
}

/** What a preview's steps lead to; what it deletes is judged no more. Notes quote values, so secrets are taken out. */
export function lintedSteps(steps: readonly PreviewStep[]): readonly Linted[] {
  return steps.flatMap(({ urn, name, id, class: type, definition, after }) =>
    after === undefined || definition === undefined
      ? []
      : [
          {
            urn,
            name,
            ...(id === undefined ? {} : { id }),
            class: type,
            definition,
            ...judgedValues(definition, after),
          },
        ],
  );
}

function recordedResources(text: string): readonly Linted[] {
  return recordedStack(text).resources.flatMap((entry) => {
    const { urn, name, id, definition, inputs, secret, encrypted } = entry.recorded();
    if (definition === undefined) return [];
    // What is encrypted is not in the inputs, and must not look as if nothing were set.
    const hidden = [...secret].filter((property) => Object.hasOwn(inputs, property) || encrypted.has(property));
    const values = { ...inputs, ...Object.fromEntries(hidden.map((property) => [property, HIDDEN])) };
    return [{ urn, name, id, class: classOf(partsOfUrn(urn).type), definition, ...judgedValues(definition, values) }];
  });
}
