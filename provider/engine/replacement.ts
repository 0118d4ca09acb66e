import type { Definition } from "../core/definition";
import { fill } from "../core/template";
import { placesOf } from "./mount-marks";
import { movedWith } from "./moves";
import type { Limits, Sides } from "./operation";
import { noteHeld, placeKey, recordKeys } from "./run-notes";

type Asking = (limits: Limits) => Promise<void>;

/**
 * Takes note of what is deleted to be made anew, here or elsewhere. `assertMade` throws where the new one could not be made:
 * then the old one stays, and what is in it.
 */
export function noteReplacement(definition: Definition, sides: Sides, assertMade: Asking): void {
  const { moves } = definition;
  // One answer for all that goes with it.
  let asked: Promise<void> | undefined;
  const once: Asking = (limits) => {
    asked ??= assertMade(limits);
    return asked;
  };
  for (const [operation, values] of sides) {
    // What has moved with its mount is there already, and this stack's own.
    const moved = movedWith(operation, values);
    if (moved) noteHeld(operation, moved.values);
    const place = moves ? [placeKey(operation, fill(moves.within, values))] : [];
    for (const key of [...recordKeys(operation, values), ...place]) operation.run.replacements.set(key, once);
  }
}

/** Before a delete: what takes the place of the record, or of the mount that it is in, can be made. */
export async function assertReplaceable(sides: Sides, limits: Limits = {}): Promise<void> {
  for (const [operation, values] of sides) {
    const places = placesOf(operation, values).map((place) => placeKey(operation, place));
    for (const key of [...recordKeys(operation, values), ...places])
      await operation.run.replacements.get(key)?.(limits);
  }
}

/** Whether a check of this run, or of the preview before it, has named one of these: a refresh compares, and replaces nothing. */
export function areWanted(sides: Sides): boolean {
  return sides.some(([operation, values]) => operation.run.said.has("wants", recordKeys(operation, values)));
}
