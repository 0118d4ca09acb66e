const pad = (value: number, length = 2) => String(value).padStart(length, "0");
const named = (options: Intl.DateTimeFormatOptions) => (time: Date) =>
  new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }).format(time);

/** The elements of Go's reference time, the longer before those that they begin with. */
const elements: Readonly<Record<string, (time: Date) => string>> = {
  January: named({ month: "long" }),
  Jan: named({ month: "short" }),
  Monday: named({ weekday: "long" }),
  Mon: named({ weekday: "short" }),
  MST: () => "UTC",
  "Z07:00": () => "Z",
  Z0700: () => "Z",
  "-07:00": () => "+00:00",
  "-0700": () => "+0000",
  2006: (time) => pad(time.getUTCFullYear(), 4),
  "01": (time) => pad(time.getUTCMonth() + 1),
  "02": (time) => pad(time.getUTCDate()),
  "03": (time) => pad(time.getUTCHours() % 12 || 12),
  "04": (time) => pad(time.getUTCMinutes()),
  "05": (time) => pad(time.getUTCSeconds()),
  "06": (time) => pad(time.getUTCFullYear() % 100),
  15: (time) => pad(time.getUTCHours()),
  PM: (time) => (time.getUTCHours() < 12 ? "AM" : "PM"),
};

const pattern = new RegExp(
  Object.keys(elements)
    .sort((a, b) => b.length - a.length)
    .join("|"),
  "g",
);

/** A time in a layout of Go's `time` package; the server's own zone is UTC. */
export function timestampText(layout: string, time: Date): string {
  return layout.replace(pattern, (element) => elements[element]?.(time) ?? element);
}
