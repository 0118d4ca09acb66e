import { InvalidArgumentError } from "commander";

/** A port of the command line. */
export function portFlag(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}
