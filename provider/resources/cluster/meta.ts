import type { Failure } from "../../core/errors";
import { stringMap } from "../../core/rows";

/** Metadata of a record, key to value. */
export const meta = () => stringMap("Meta");

const PAIRS = 64;
const KEY_BYTES = 128;
/** Most bytes of a value, and of the description of an intention. */
export const VALUE_BYTES = 512;

/** What Consul refuses in the metadata of a peering. */
export function peeringMetaFailures(property: string, meta: Readonly<Record<string, string>>): Failure[] {
  const named = Object.keys(meta).flatMap((key): Failure[] => {
    const at = pairAt(property, key);
    const hasOther = !/^[a-zA-Z0-9_-]+$/.test(key);
    return [
      ...(hasOther ? [{ property: at, reason: "has a key with characters other than letters, digits, _ and -" }] : []),
      ...(key.startsWith("consul-")
        ? [{ property: at, reason: "has a key that begins with `consul-`, which is reserved" }]
        : []),
    ];
  });
  return [...metaFailures(property, meta), ...named];
}

/** What Consul refuses in the metadata of any record. */
export function metaFailures(property: string, meta: Readonly<Record<string, string>>): Failure[] {
  const pairs = Object.entries(meta);
  const found = pairs.length > PAIRS ? [{ property, reason: `must have at most ${PAIRS} pairs` }] : [];
  for (const [key, value] of pairs) {
    const at = pairAt(property, key);
    if (bytes(key) > KEY_BYTES) found.push({ property: at, reason: `has a key longer than ${KEY_BYTES} bytes` });
    if (bytes(value) > VALUE_BYTES) found.push({ property: at, reason: `must be at most ${VALUE_BYTES} bytes long` });
  }
  return found;
}

export function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function pairAt(property: string, key: string): string {
  return `${property}[${JSON.stringify(key)}]`;
}
