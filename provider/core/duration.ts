/** Seconds of a duration as the servers count them (a number, or texts such as `90`, `1h30m` and `2d`), or what is wrong with it. */
export function parseDuration(value: string | number, options: { signed?: boolean } = {}): number | string {
  const seconds = typeof value === "number" ? wholeSeconds(value) : textSeconds(value.trim());
  if (typeof seconds === "string") return seconds;
  if (seconds < 0 && !options.signed) return "must not be negative";
  return seconds;
}

/**
 * The same of a duration that a person writes. The servers cut fractions of a second, and a lifetime of 0 means that
 * there is no limit, or the server's default: what is less than a second would say the opposite of what is meant.
 */
export function parseWrittenDuration(value: string | number, options: { signed?: boolean } = {}): number | string {
  const seconds = parseDuration(value, options);
  if (seconds !== 0 || !/[1-9]/.test(String(value))) return seconds;
  return "must be whole seconds: the servers cut it to 0, which means no limit or their default";
}

/**
 * Nanoseconds of a duration's text, for what the servers do not cut to whole seconds: they refuse blanks at its ends there.
 * Or what is wrong with it.
 */
export function parseNanoseconds(text: string): bigint | string {
  if (text === "") return 0n;
  const [, amount, unit] = /^([-+]?\d+)(d?)$/.exec(text) ?? [];
  const nanoseconds = amount === undefined ? unitsInNanoseconds(text) : BigInt(amount) * (unit ? DAY : SECOND);
  return typeof nanoseconds === "bigint" && BigInt.asIntN(64, nanoseconds) !== nanoseconds ? TOO_LONG : nanoseconds;
}

/** The shortest text for a number of seconds: 5400 is `1h30m`. */
export function formatDuration(seconds: number): string {
  if (seconds === 0) return "0s";
  const sign = seconds < 0 ? "-" : "";
  const rest = Math.abs(seconds);
  const parts: [number, string][] = [
    [Math.floor(rest / 3600), "h"],
    [Math.floor((rest % 3600) / 60), "m"],
    [rest % 60, "s"],
  ];
  return (
    sign +
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count}${unit}`)
      .join("")
  );
}

/** The same of nanoseconds, exactly: 90 million are `0.09s`. */
export function formatNanoseconds(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatNanoseconds(-nanoseconds)}`;
  const seconds = Number(nanoseconds / SECOND);
  const fraction = String(nanoseconds % SECOND)
    .padStart(9, "0")
    .replace(/0+$/, "");
  if (fraction === "") return formatDuration(seconds);
  const minutes = seconds - (seconds % 60);
  return `${minutes === 0 ? "" : formatDuration(minutes)}${seconds % 60}.${fraction}s`;
}

const ALLOWED = "a number of seconds, or a duration such as 90s, 15m, 1h30m or 7d";
const UNIT_NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3, // U+00B5
  μs: 1e3, // U+03BC
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** No time needs more; the pattern of its parts is slow for long texts. */
const LONGEST_TEXT = 200;
const SECOND = 1_000_000_000n;
const DAY = 86_400n * SECOND;
const TOO_LONG = "is too long: the servers count at most 292 years";
/** The servers count nanoseconds in 64 bits; what is longer overflows there without a word. */
const LONGEST_SECONDS = 9_223_372_036;

function wholeSeconds(value: number): number | string {
  return Number.isSafeInteger(value) ? bounded(value) : `must be whole seconds; allowed is ${ALLOWED}`;
}

function bounded(seconds: number): number | string {
  return Math.abs(seconds) <= LONGEST_SECONDS ? seconds : TOO_LONG;
}

function textSeconds(text: string): number | string {
  if (text === "") return 0;
  if (/^[-+]?\d+$/.test(text)) return wholeSeconds(Number(text));
  // Most are of one unit: the exact arithmetic of fractions is slow.
  const [, amount, unit = ""] = /^([-+]?\d+)([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return wholeSeconds(Number(amount) * (UNIT_SECONDS[unit] ?? 0));
  const nanoseconds = unitsInNanoseconds(text);
  return typeof nanoseconds === "string" ? nanoseconds : bounded(Number(nanoseconds / SECOND));
}

function unitsInNanoseconds(text: string): bigint | string {
  if (text.length > LONGEST_TEXT) return `is not a duration; allowed is ${ALLOWED}`;
  const [, sign, body = ""] = /^([-+]?)(.+)$/s.exec(text) ?? [];
  const parts = [...body.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)];
  if (parts.map((part) => part[0]).join("") !== body) return `is not a duration; allowed is ${ALLOWED}`;
  const nanoseconds = parts.reduce((sum, [, count = "", unit = ""]) => sum + nanosecondsOf(count, unit), 0n);
  return sign === "-" ? -nanoseconds : nanoseconds;
}

/** Digits before and after the point apart, as Go does: in floating point 1.15h would lose its last second. */
function nanosecondsOf(count: string, unit: string): bigint {
  const [whole = "", fraction = ""] = count.split(".");
  const scale = UNIT_NANOSECONDS[unit] ?? 0;
  return BigInt(whole || 0) * BigInt(scale) + BigInt(Math.trunc(Number(fraction) * (scale / 10 ** fraction.length)));
}
