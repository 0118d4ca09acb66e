const pad = (value: number, length = 2) => String(value).padStart(length, "0");
const named = (options: Intl.DateTimeFormatOptions) => (time: Date) =>
  new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }).format(time);
const hour = (time: Date) => time.getUTCHours() % 12 || 12;
const dayOfYear = (time: Date) => Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0)) / 86_400_000) + 1;

/** The elements of Go's reference time. The first that fits is taken, so the longer come before those that they begin with. */
const elements: readonly (readonly [RegExp, (time: Date, found: string) => string])[] = [
  [/January/y, named({ month: "long" })],
  [/Jan(?![a-z])/y, named({ month: "short" })],
  [/Monday/y, named({ weekday: "long" })],
  [/Mon(?![a-z])/y, named({ weekday: "short" })],
  [/MST/y, () => "UTC"],
  [/Z07:00:00|Z070000|Z07:00|Z0700|Z07/y, () => "Z"],
  [/-(07:00:00|070000|07:00|0700|07)/y, (_time, found) => found.replace("-", "+").replace("7", "0")],
  [/2006/y, (time) => pad(time.getUTCFullYear(), 4)],
  [/002/y, (time) => pad(dayOfYear(time), 3)],
  [/01/y, (time) => pad(time.getUTCMonth() + 1)],
  [/02/y, (time) => pad(time.getUTCDate())],
  [/03/y, (time) => pad(hour(time))],
  [/04/y, (time) => pad(time.getUTCMinutes())],
  [/05/y, (time) => pad(time.getUTCSeconds())],
  [/06/y, (time) => pad(time.getUTCFullYear() % 100)],
  [/15/y, (time) => pad(time.getUTCHours())],
  [/_2(?!006)/y, (time) => String(time.getUTCDate()).padStart(2)],
  [/1/y, (time) => String(time.getUTCMonth() + 1)],
  [/2/y, (time) => String(time.getUTCDate())],
  [/3/y, (time) => String(hour(time))],
  [/4/y, (time) => String(time.getUTCMinutes())],
  [/5/y, (time) => String(time.getUTCSeconds())],
  [/PM/y, (time) => (time.getUTCHours() < 12 ? "AM" : "PM")],
  [/pm/y, (time) => (time.getUTCHours() < 12 ? "am" : "pm")],
  [/[.,](?:0+|9+)(?!\d)/y, fraction],
];

/** A time in a layout of Go's `time` package; the server's own zone is UTC. */
export function timestampText(layout: string, time: Date): string {
  let text = "";
  for (let at = 0; at < layout.length; ) {
    const [found, shown] = elementAt(layout, { at, time }) ?? [layout.charAt(at), layout.charAt(at)];
    text += shown;
    at += found.length;
  }
  return text;
}

function elementAt(
  layout: string,
  { at, time }: { at: number; time: Date },
): [found: string, shown: string] | undefined {
  for (const [pattern, show] of elements) {
    pattern.lastIndex = at;
    const found = pattern.exec(layout)?.[0];
    if (found !== undefined) return [found, show(time, found)];
  }
  return undefined;
}

/** As many digits as there are zeros; nines drop the zeros at the end, and the point with them. */
function fraction(time: Date, found: string): string {
  const digits = pad(time.getUTCMilliseconds(), 3)
    .padEnd(9, "0")
    .slice(0, found.length - 1);
  return found.includes("9") ? `${found.charAt(0)}${digits}`.replace(/[.,]?0*$/, "") : `${found.charAt(0)}${digits}`;
}
