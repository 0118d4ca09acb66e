#!/usr/bin/env node
import { unsupportedNode } from "../provider/core/supported-node";

// `trustplane serve --help | head` closes the pipe before everything is read.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

void run().then((exitCode) => {
  process.exitCode = exitCode;
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
