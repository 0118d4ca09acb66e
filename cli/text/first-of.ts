/** More names than these are counted. */
const MOST = 5;

/** The first names, and how many more there are. */
export function firstOf(names: readonly string[]): string {
  const more = names.length - MOST;
  return names.slice(0, MOST).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
