import { createHash } from "node:crypto";

/** Of a name that is longer than any stack's, its hash: the marker has to fit into every comment. */
const LONGEST_NAME = 500;

/** The last line of a comment, which only the next run sees: it says what the comment is about. */
export function markerOf(kind: "preview" | "drift", stack: string): string {
  // An HTML comment must not hold `--` or `>`.
  const name = encodeURIComponent(stack.toWellFormed()).replace(/-/g, "%2D");
  const hash = () => createHash("sha256").update(name).digest("hex");
  return `<!-- trustplane:${kind}:${name.length > LONGEST_NAME ? hash() : name} -->`;
}

/** True for a comment that ends with the marker: one that quotes it says something after it. */
export function isMarked(body: string, marker: string): boolean {
  return body.trimEnd().endsWith(marker);
}
