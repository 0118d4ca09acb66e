#!/usr/bin/env node
import { unsupportedNode } from "../provider/core/supported-node";

let cannotWrite = false;

// `trustplane serve --help | head` closes the pipe before everything is read.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || cannotWrite) return;
  cannotWrite = true;
  process.exitCode = 1;
  process.stderr.write(`trustplane: the output cannot be written: ${message}.\n`);
});
process.stderr.on("error", () => {});

void run().then((exitCode) => {
  process.exitCode = cannotWrite ? 1 : exitCode;
});

async function run(): Promise<number> {
  const complaint = unsupportedNode(process);
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`);
    return 1;
  }
  const { runCommand } = await import("./run-command.js");
  return runCommand(process.argv.slice(2));
}
