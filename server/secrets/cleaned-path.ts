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
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
