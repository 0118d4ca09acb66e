/** True for a text that fits the pattern, in which `*` stands for any characters. */
export function isLike(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${escaped}$`, "s").test(text);
}
