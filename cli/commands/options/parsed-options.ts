import { InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../../../provider/core/duration";
import { DEFAULT_TTL } from "../../facts/lint/lint";

export function ignoreOption(more = "see lint --help"): Option {
  const about = "file of exceptions, the one of trustplane drift: `silence` lists notes that need no answer";
  return new Option("--ignore <file>", `${about}; ${more}`);
}

export function maxTtlOption(): Option {
  return new Option("--max-ttl <duration>", "longest lifetime that gets no note")
    .argParser(seconds)
    .default(seconds(DEFAULT_TTL), DEFAULT_TTL);
}

function seconds(text: string): number {
  const value = parseDuration(text);
  if (typeof value === "number" && value > 0) return value;
  throw new InvalidArgumentError("It is a duration such as 90s, 15m, 1h30m or 7d.");
}

/** A port of the command line. */
export function portFlag(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}
