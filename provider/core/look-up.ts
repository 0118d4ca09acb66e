import type { Definition } from "./definition";
import { placeholders } from "./template";

/** What finding a record takes besides its id: the part of its identity that the id does not hold, as its connection. */
export function lookUpProperties(definition: Definition): string[] {
  const inId = placeholders(definition.id);
  return definition.identity.filter((name) => definition.fields[name]?.place === "local" && !inId.includes(name));
}
