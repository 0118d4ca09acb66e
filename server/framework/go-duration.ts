import { durationText } from "./duration-text";
import { goQuoted } from "./go-quoted";

const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const second = 1_000_000_000n;
const maxInt64 = 2n ** 63n - 1n;

/** A duration that Go's parser refuses; the message is Go's own text. */
export class DurationFailure extends Error {}

/**
 * Parses Vault's duration grammar to nanoseconds: `""` is zero, whole seconds, `<n>d`, else Go's `time.ParseDuration`.
 * @throws DurationFailure
 */
export function nanosecondsFromText(text: string): bigint {
  if (text === "") return 0n;
  if (isWholeNumber(text)) return multiplied(BigInt(text), second);
  if (text.endsWith("d")) {
    const days = text.slice(0, -1);
    if (!isWholeNumber(days)) throw new DurationFailure(`strconv.ParseInt: parsing ${goQuoted(days)}: invalid syntax`);
    return multiplied(BigInt(days), 86_400n * second);
  }
  return parseGoDuration(text);
}

/** Whole seconds of a duration, rounded towards zero as the framework does. */
export function wholeSeconds(nanoseconds: bigint): number {
  return Number(nanoseconds / second);
}

function isWholeNumber(text: string): boolean {
  return /^[+-]?\d+$/.test(text) && BigInt(text) <= maxInt64;
}

function multiplied(count: bigint, unit: bigint): bigint {
  const product = count * unit;
  if (product <= maxInt64 && product >= -maxInt64) return product;
  throw new DurationFailure("multiplication of durations resulted in overflow, one operand may be too large");
}

function parseGoDuration(text: string): bigint {
  const negative = text.startsWith("-");
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0n;
  if (rest === "") throw new DurationFailure(`time: invalid duration ${byteQuoted(text)}`);
  let total = 0n;
  while (rest !== "") {
    const amount = /^(\d*)(?:\.(\d*))?/.exec(rest);
    const whole = amount?.[1] ?? "";
    const fraction = amount?.[2] ?? "";
    const isReadable = (whole !== "" || fraction !== "") && BigInt(whole || "0") <= maxInt64 + 1n;
    if (!isReadable) throw new DurationFailure(`time: invalid duration ${byteQuoted(text)}`);
    rest = rest.slice(amount?.[0].length ?? 0);
    const unit = /^[^\d.]*/.exec(rest)?.[0] ?? "";
    if (unit === "") throw new DurationFailure(`time: missing unit in duration ${byteQuoted(text)}`);
    const scale = unitNanoseconds[unit];
    if (scale === undefined) {
      throw new DurationFailure(`time: unknown unit ${byteQuoted(unit)} in duration ${byteQuoted(text)}`);
    }
    rest = rest.slice(unit.length);
    total += BigInt(whole || "0") * scale + fractionOf(fraction, scale);
    if (total > maxInt64) throw new DurationFailure(`time: invalid duration ${byteQuoted(text)}`);
  }
  return negative ? -total : total;
}

function fractionOf(digits: string, scale: bigint): bigint {
  return digits === "" ? 0n : (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
}

/** Prints seconds as Go prints a `time.Duration`: `24h0m0s`, `1m30s`, `0s`, to the millisecond. */
export function goDurationText(seconds: number): string {
  return durationText(BigInt(Math.round(seconds * 1000)) * 1_000_000n);
}

// Go's time package quotes by itself: every byte beyond ASCII on its own.
function byteQuoted(text: string): string {
  const bytes = Array.from(Buffer.from(text), (byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `"${bytes.join("")}"`;
}
