/** An address without its user, its password and its query, which may hold a key. */
export function shownAddress(address: string): string {
  const asked = withoutUser(address);
  // A password may have been written with a slash in it.
  if (asked.includes("@")) return `${/^[a-z][a-z0-9+.-]*:\/\//i.exec(address)?.[0] ?? ""}…`;
  return asked.replace(/(?<=[?#]).+/s, "…");
}

/** An address without its user and its password. */
export function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#\\]*@/i, "$1");
}
