import { visibleText } from "../text/visible-text";
import type { Terminal } from "./terminal";

/** Beside an answer: what it did not look at, a line for each sentence. */
export function sayNotLookedAt(sentences: readonly string[], terminal: Terminal): void {
  for (const sentence of sentences) terminal.err(`trustplane: ${visibleText(sentence)}.\n`);
}
