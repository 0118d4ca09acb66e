/** `an approle` of `approle`, `a kv` of `kv`. */
export function withArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
