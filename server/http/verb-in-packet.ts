import { METHODS } from "node:http";

/** The only verb of the imitated servers that Node's parser does not know. */
const ours = "LIST";

// Go takes any token as a method (RFC 9110, 5.6.2).
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+/;
const longestVerb = 64;

/** Where the unknown verb begins in the bytes that Node's parser gave back. */
export interface VerbStart {
  readonly at: number;
  /** Its first letters came in an earlier packet, which the parser does not give back. */
  readonly isTail: boolean;
}

/**
 * Finds the start of an unknown verb. A body before it in the same packet need not end with a line break, so only the place
 * where the parser stopped shows it. The parser stops at the first letter that does not continue any verb that it knows.
 */
export function verbStart(packet: Buffer, stoppedAt: number): VerbStart {
  const text = packet.toString("latin1", Math.max(0, stoppedAt - longestVerb), stoppedAt + longestVerb);
  const stop = Math.min(stoppedAt, longestVerb);
  for (let read = 0; read <= stop; read += 1) {
    if (knownLength(text.slice(stop - read)) === read) return { at: stoppedAt - read, isTail: false };
  }
  return { at: 0, isTail: true };
}

function knownLength(text: string): number {
  let length = 0;
  while (length < text.length && METHODS.some((method) => method.startsWith(text.slice(0, length + 1)))) length += 1;
  return length;
}

export interface Verb {
  /** The verb as sent. */
  readonly name: string;
  /** How many of the bytes belong to it. */
  readonly length: number;
}

/** The verb at the start of the bytes; `undefined` when there is none, `"unfinished"` when more bytes are needed to tell. */
export function verbAt(bytes: Buffer, { isTail }: { isTail: boolean }): Verb | "unfinished" | undefined {
  const text = bytes.toString("latin1", 0, longestVerb);
  const sent = token.exec(text)?.[0] ?? "";
  if (sent.length === text.length && sent.length < longestVerb) return "unfinished";
  if (text[sent.length] !== " " || (sent === "" && !isTail)) return undefined;
  return { name: isTail && ours.endsWith(sent) ? ours : sent, length: sent.length };
}
