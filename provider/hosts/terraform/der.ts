/** One element of DER (X.690): a tag, the length, and what it holds. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts);
export const octets = (content: Uint8Array) => der(0x04, content);
export const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);
export const text = (value: string) => der(0x0c, Buffer.from(value, "utf8"));
export const truth = () => der(0x01, Buffer.from([0xff]));
/** A member of a choice, or one that may be missing, by its number. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]) => der(0xa0 + number, ...parts);

/** A whole number that is not negative, from its bytes: without zeros in front, but for one that keeps it positive. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  const isNegative = ((shortest[0] ?? 0) & 0x80) !== 0;
  return der(0x02, isNegative ? Buffer.concat([Buffer.from([0]), shortest]) : shortest);
}

/** An object identifier from its dotted form. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A time; from 2050 on it has four digits for the year (RFC 5280, 4.1.2.5). */
export function time(at: Date): Buffer {
  const digits = at
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:T]/g, "");
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2), "ascii"))
    : der(0x18, Buffer.from(digits, "ascii"));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}

/** Seven bits a byte, the last one without the mark that another follows. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
