/** The part of a property path that leads to a member: `.a`, `[0]`, `["a b"]`. */
export function step(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(String(key))}]`;
}

/** The same as Pulumi reads it, for which a backslash escapes a quote and nothing else; undefined for a key that it cannot name. */
export function pulumiStep(key: PropertyKey): string | undefined {
  if (typeof key === "number" || !String(key).includes("\\")) return step(key);
  return /\\("|$)/.test(String(key)) ? undefined : `["${String(key).replaceAll('"', '\\"')}"]`;
}

/** `a.b[0]["c d"]` as its four names, as we write them and as Pulumi does. */
export function stepsOf(path: string): string[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|([^.[\]]+)/g)].map(
    ([, quoted = "", index, plain]) => plain ?? index ?? unquoted(quoted),
  );
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text.replaceAll('\\"', '"');
  }
}
