import { Readable } from "node:stream";
import { runCommand } from "../../cli/run-command.ts";

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, as a pipe would be given its output. */
export async function runCli(words: readonly string[], input = ""): Promise<CliRun> {
  let [out, err] = ["", ""];
  const code = await runCommand(words, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    ended: () => Promise.resolve(),
    input: Readable.from([input]),
    hasColours: false,
    isWatched: false,
  });
  return { code, out, err };
}
