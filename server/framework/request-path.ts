/**
 * The path as Go's mux cleans it: doubled slashes and dot segments removed, a final slash kept. `undefined` for a broken
 * escape, which Go's server does not let in.
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

/** The path without its escapes. What is no UTF-8 then becomes the replacement character, as where Go prints it. */
export function decodedPath(path: string): string {
  if (!path.includes("%")) return path;
  const bytes = path.replace(/%([0-9a-fA-F]{2})/g, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Whether a path consists of characters that print, as Vault and Consul want it: of blanks there is only the space. */
export function isPrintable(path: string): boolean {
  return !/(?! )[\p{C}\p{Z}]/u.test(path);
}
