import { canonicalText } from "../../core/canonical";
import type { Values } from "../../core/definition";
import { hiddenParts, secretProperties } from "../../core/fingerprint";
import { partsOf, sealerOf } from "../../core/seal";
import type { ResourceTable } from "./table";

/** Hides the secrets of these values in a text. */
export function scrubberOf({ definition }: ResourceTable, values: Values): (text: string) => string {
  const secrets = secretProperties(definition, values)
    .filter((name) => values[name] !== undefined)
    .map((name) => [name, new Set([canonicalText(values[name])])] as const);
  const ofRecords = partsOf(hiddenParts(definition, values));
  return sealerOf({ definition, says: { values, secrets: new Map([...secrets, ...ofRecords]) } }).scrub;
}
