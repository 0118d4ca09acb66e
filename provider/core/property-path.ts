/** The part of a property path that leads to a member: `.a`, `[0]`, `["a b"]`. */
export function step(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(String(key))}]`;
}

/** `a.b[0]["c d"]` as its four names. */
export function stepsOf(path: string): string[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, plain]) => plain ?? index ?? String(JSON.parse(`"${quoted ?? ""}"`)),
  );
}
