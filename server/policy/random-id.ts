import { randomInt } from "node:crypto";

const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789";

/** An id as the API makes it: a word for the kind, and sixteen letters and digits. */
export function randomId(kind: string): string {
  return `${kind}-${Array.from({ length: 16 }, () => alphabet.charAt(randomInt(alphabet.length))).join("")}`;
}
