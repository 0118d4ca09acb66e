import type { Definition, Values } from "./definition";
import { fill } from "./template";

/** The id as the state has it: without default values, such as the partition `default`. */
export function idIn(definition: Definition, values: Values): string {
  return fill(definition.id, definition.rewrite?.(values) ?? values);
}
