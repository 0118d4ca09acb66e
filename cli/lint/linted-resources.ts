import { ProviderError } from "../../provider/core/errors";
import { HIDDEN, judgedValues } from "../changes/resource-changes";
import { classOf, partsOfUrn } from "../changes/resource-type";
import type { PreviewStep } from "../comment/preview";
import { readPreview } from "../comment/read-preview";
import { recordedStack } from "../drift/recorded-stack";
import type { Linted } from "./lint";

/**
 * The resources in what `pulumi preview --json`, the engine's event log or `pulumi stack export` wrote. Throws for
 * anything else, and for a preview that failed: some resources are missing from it.
 */
export function lintedResources(text: string): readonly Linted[] {
  const preview = readPreview(text);
  if (preview === undefined) return recordedResources(text);
  if (preview.errors.length > 0)
    throw new ProviderError(
      "InputError",
      "the preview failed, so some resources are missing from it: correct it first.",
    );
  return lintedSteps([...preview.steps, ...preview.same]);
}

/** The resources after the steps of a preview, without deleted ones. Notes quote values, so secrets are removed. */
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
    // An encrypted property is missing from the inputs, and must not look like one that is not set.
    const hidden = [...secret].filter((property) => Object.hasOwn(inputs, property) || encrypted.has(property));
    const values = { ...inputs, ...Object.fromEntries(hidden.map((property) => [property, HIDDEN])) };
    return [{ urn, name, id, class: classOf(partsOfUrn(urn).type), definition, ...judgedValues(definition, values) }];
  });
}
