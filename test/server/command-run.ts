import type { Terminal } from "../../cli/io/terminal";
import { runCommand } from "../../cli/run-command";

export interface Run {
  readonly exitCode: Promise<number>;
  readonly terminal: Terminal;
  /** The output, once there is some. */
  output(): Promise<string>;
  end(): void;
}

/** The command, run in this process. */
export function run(...words: readonly string[]): Run {
  let [out, err] = ["", ""];
  const printed = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const terminal: Terminal = {
    out: (text) => {
      out += text;
      printed.resolve();
    },
    err: (text) => {
      err += text;
      printed.resolve();
    },
    ended: () => ended.promise,
    input: process.stdin,
    hasColours: false,
    isWatched: false,
  };
  const exitCode = runCommand(words, terminal);
  return { exitCode, terminal, end: () => ended.resolve(), output: async () => printed.promise.then(() => out + err) };
}
