import type { Definition, Values } from "./definition";
import { fill, placeholders } from "./template";

/** The id as the state has it: without default values, such as the partition `default`. */
export function idIn(definition: Definition, values: Values): string {
  return fill(definition.id, definition.rewrite?.(values) ?? values);
}

/** The outputs in the id: the server gives them, so that a new record has another id. */
export function givenInId({ id, outputs }: Pick<Definition, "id" | "outputs">): string[] {
  return placeholders(id).filter((name) => name in outputs);
}

/** Whether the id is known: some are given by the server. */
export function hasId(definition: Definition, values: Values): boolean {
  return givenInId(definition).every((name) => values[name] !== undefined);
}
