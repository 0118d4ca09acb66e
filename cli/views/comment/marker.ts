import { createHash } from "node:crypto";

/** A longer name is replaced by its hash, so that the marker fits into every comment. */
const LONGEST_NAME = 500;

/** The last line of a comment, invisible to readers. The next run finds the comment by it. */
export function markerOf(kind: "preview" | "drift", stack: string): string {
  // An HTML comment must not hold `--` or `>`.
  const name = encodeURIComponent(stack.toWellFormed()).replace(/-/g, "%2D");
  const hash = () => createHash("sha256").update(name).digest("hex");
  return `<!-- trustplane:${kind}:${name.length > LONGEST_NAME ? hash() : name} -->`;
}

/** True for a comment that ends with the marker. One that quotes it has more text after it. */
export function isMarked(body: string, marker: string): boolean {
  return body.trimEnd().endsWith(marker);
}
