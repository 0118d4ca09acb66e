/** The part of a property path that leads to a member: `.a`, `[0]`, `["a b"]`. */
export function step(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(String(key))}]`;
}
