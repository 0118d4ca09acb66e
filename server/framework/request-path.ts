/**
 * The path as Go's mux cleans it: doubled slashes and dot segments removed, a final slash kept. `undefined` for a broken
 * escape, which Go's server refuses.
 */
export function cleanedPath(path: string): string | undefined {
  if (!isWellEscaped(path)) return undefined;
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  const endsInSlash = /\/\.{0,2}$/.test(path) && kept.length > 0;
  return `/${kept.join("/")}${endsInSlash ? "/" : ""}`;
}

function isWellEscaped(path: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(path);
}

/** The path without its escapes. Bytes that are not UTF-8 become the replacement character, as where Go prints them. */
export function decodedPath(path: string): string {
  if (!path.includes("%")) return path;
  const bytes = path.replace(/%([0-9a-fA-F]{2})/g, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Whether all characters of a path are printable, as Vault and Consul demand. The only blank that counts is the space. */
export function isPrintable(path: string): boolean {
  return !/(?! )[\p{C}\p{Z}]/u.test(path);
}
