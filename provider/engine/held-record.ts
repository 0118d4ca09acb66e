import { isEmpty } from "../core/canonical";
import type { Definition, Values } from "../core/definition";
import { hasId } from "../core/record-id";
import { removalOf } from "../core/removal";
import { fill } from "../core/template";
import { naturalId } from "./natural-id";
import { type Sides, titleOf } from "./operation";
import { hasKnownPlace, keysOf } from "./run-notes";

/** A record that a resource has: alone, as one side of a pair, or as one of a set. */
export interface HeldRecord {
  /** The same for whatever resource has it through this address of the server. */
  readonly key: string;
  /** That, and one for all addresses of the server, where it is known which one it is. */
  readonly keys: readonly string[];
  readonly title: string;
  readonly id: string;
  /** False where it is only forgotten. */
  readonly isDeletable: boolean;
  /** What goes with it, so that it cannot be made again as it was. */
  readonly loses?: string | undefined;
}

/**
 * The records of these values. One whose place is not known yet is nobody's. One whose id the server gives is told by its name, too:
 * a new resource has no id for it yet.
 */
export function heldIn(sides: Sides): readonly HeldRecord[] {
  return sides.flatMap(([operation, values]) => {
    const { definition } = operation;
    if (!hasKnownPlace(definition, values)) return [];
    const keys = keysOf(operation, values);
    const [key] = keys;
    if (key === undefined) return [];
    return [
      {
        key,
        keys,
        title: titleOf(definition, values),
        id: fill(hasId(definition, values) ? definition.id : naturalId(definition), values),
        isDeletable: removalOf(definition, values) !== undefined,
        loses: lossOf(definition, values),
      },
    ];
  });
}

function lossOf(definition: Definition, values: Values): string | undefined {
  const { rotation } = definition;
  if (definition.inhabited) return "with all that is in it";
  if (rotation && !isEmpty(values[rotation.keyId])) return "with a key that only the server may have";
  return definition.attached ? "with its members and the id that others know" : undefined;
}
