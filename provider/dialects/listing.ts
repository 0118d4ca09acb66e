import type { Definition } from "../core/definition";
import type { Dialect } from "./dialect";
import { dialects } from "./index";

/** The template of the path that lists all records of a kind; undefined where there is one record, known by its address. */
export function listingOf({ read, label, dialect }: Definition): string | undefined {
  if (read.pick) return read.path;
  const { names }: Dialect = dialects[dialect];
  const [collection = "", after] = read.path.split(`/{${label}}`);
  // What is behind the name can only be a query.
  const isLast = after !== undefined && (after === "" || after.startsWith("[?"));
  return names && isLast ? collection + names.query + after : undefined;
}
