#!/usr/bin/env node
import { runCommand } from "./run-command";

// `trustplane serve --help | head` closes the pipe before everything is read.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

void runCommand(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
