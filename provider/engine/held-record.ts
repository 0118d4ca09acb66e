import type { Values } from "../core/definition";
import { removalOf } from "../core/removal";
import { fill } from "../core/template";
import { type Operation, titleOf } from "./operation";
import { hasKnownPlace, recordKeys } from "./run-notes";

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
  /** Others are in it, and go with it. */
  readonly isPlace: boolean;
}

/** The records of these values. One that has no id yet, or whose place is not known yet, is nobody's. */
export function heldIn(sides: readonly (readonly [Operation, Values])[]): readonly HeldRecord[] {
  return sides.flatMap(([operation, values]) => {
    const { definition } = operation;
    if (!hasKnownPlace(definition, values)) return [];
    const keys = recordKeys(operation, values);
    const [key] = keys;
    if (key === undefined) return [];
    return [
      {
        key,
        keys,
        title: titleOf(definition, values),
        id: fill(definition.id, values),
        isDeletable: removalOf(definition, values) !== undefined,
        isPlace: definition.inhabited !== undefined,
      },
    ];
  });
}
