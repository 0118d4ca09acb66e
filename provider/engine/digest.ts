import { createHash } from "node:crypto";

/** A text that stands for another one and does not show it. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
