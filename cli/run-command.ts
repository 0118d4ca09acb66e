import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, CommanderError } from "commander";
import { addServe } from "./serve-flags";

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Resolves when the command is told to end. */
  ended(): Promise<void>;
}

/** Exit codes: 0 done (also after SIGINT or SIGTERM), 1 it could not be done, 2 the command line is wrong. */
export async function runCommand(words: readonly string[], terminal: Terminal = processTerminal): Promise<number> {
  let exitCode = 0;
  const program = new Command("trustplane")
    .description("Pulumi provider for the trust configuration of a platform, and an embedded server to try it on.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) });
  // What a command does is loaded only when it runs, so that help and version come at once.
  addServe(program, async (flags) => {
    const { serve } = await import("./serve-command.js");
    exitCode = await serve(flags, terminal);
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

// The manifest is one folder up from the source and two from what is built into `dist/`.
function packageVersion(): string {
  const file = [join(__dirname, "..", "package.json"), join(__dirname, "..", "..", "package.json")].find(existsSync);
  const manifest: unknown = file === undefined ? undefined : JSON.parse(readFileSync(file, "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}

const processTerminal: Terminal = {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
  ended: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
};
