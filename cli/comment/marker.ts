/** The last line of a comment, which only the next run sees: it says what the comment is about. */
export function markerOf(kind: "preview" | "drift", stack: string): string {
  // An HTML comment must not hold `--` or `>`.
  return `<!-- trustplane:${kind}:${encodeURIComponent(stack.toWellFormed()).replace(/-/g, "%2D")} -->`;
}

/** True for a comment that ends with the marker: one that quotes it says something after it. */
export function isMarked(body: string, marker: string): boolean {
  return body.trimEnd().endsWith(marker);
}
