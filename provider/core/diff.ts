import type { Definition, Values } from "./definition";
import { same } from "./field";
import { INCOMPLETE } from "./state-names";
import { hasUnknown } from "./unknowns";

/** What an update would change, and which of these changes need a new record. */
export interface Difference {
  readonly changed: readonly string[];
  readonly replaces: readonly string[];
}

/** Compares what is recorded with what the program says, ignoring what the servers normalise. */
export function diff(definition: Definition, olds: Values, news: Values): Difference {
  const edited = editedProperties(definition, olds, news);
  const changed = [...new Set([...edited, ...(definition.broken?.(olds) ?? []), ...incomplete(olds)])];
  const fixed = new Set<string>([...definition.identity, ...definition.replaceOn]);
  const conditional = changed.length > 0 ? (definition.replaceWhen?.(olds, news) ?? []) : [];
  return { changed, replaces: [...new Set([...changed.filter((name) => fixed.has(name)), ...conditional])] };
}

/** What the program itself changed. */
export function editedProperties(definition: Definition, olds: Values, news: Values): string[] {
  return Object.entries(definition.fields)
    .filter(([name, field]) => hasUnknown(news[name]) || !same(field, olds[name], news[name]))
    .map(([name]) => name);
}

function incomplete(olds: Values): string[] {
  return olds[INCOMPLETE] === true ? [INCOMPLETE] : [];
}
