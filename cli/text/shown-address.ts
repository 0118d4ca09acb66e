/** An address without its user, its password and its query, which may hold a key. */
export function shownAddress(address: string): string {
  const [, scheme = "", authority = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#\\]*)(.*)$/is.exec(address) ?? [];
  // A password may have been written with a slash in it.
  if (rest.includes("@")) return `${scheme}…`;
  return scheme + authority.replace(/^.*@/s, "") + rest.replace(/(?<=[?#]).+/s, "…");
}
