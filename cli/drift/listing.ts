import type { Definition } from "../../provider/core/definition";

/** The template of the path that lists all records of a kind; undefined where there is one record, known by its address. */
export function listingOf({ read, label }: Definition): string | undefined {
  if (read.pick) return read.path;
  const last = `/{${label}}`;
  return read.path.endsWith(last) ? `${read.path.slice(0, -last.length)}?list=true` : undefined;
}
