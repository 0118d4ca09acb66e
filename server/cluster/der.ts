/** One DER element (X.690): tag, length, content. */
export function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(content.length)]), content]);
}

export const derTag = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

export function derSequence(...contents: readonly Buffer[]): Buffer {
  return der(derTag.sequence, ...contents);
}

/** An object identifier, written with dots. */
export function derObjectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime, the form RFC 5280 demands of dates before 2050. */
export function derTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, "").slice(2, 14);
  return der(derTag.utcTime, Buffer.from(`${digits}Z`));
}

export function derBits(content: Buffer, { unusedBits = 0 }: { unusedBits?: number } = {}): Buffer {
  return der(derTag.bitString, Buffer.from([unusedBits]), content);
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return [0x80 | octets.length, ...octets];
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
