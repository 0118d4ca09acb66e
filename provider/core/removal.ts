import type { Definition, Values, WireRecord } from "./definition";

/** The request that makes a record go away: deleted or, with a POST, blank in every field. */
export interface Removal {
  readonly method: "DELETE" | "POST";
  readonly path: string;
  readonly beside?: (record: WireRecord) => string | undefined;
}

/** How these values' record goes away; undefined when it is only forgotten. */
export function removalOf({ delete: remove, update }: Definition, values: Values): Removal | undefined {
  if (typeof remove === "object") return isExcepted(remove.except, values) ? undefined : remove;
  if (remove === "forget or blank" && values["onDelete"] === "blank") return { method: "POST", path: update.path };
  return undefined;
}

function isExcepted(except: Values = {}, values: Values): boolean {
  return Object.entries(except).some(([name, value]) => values[name] === value);
}
