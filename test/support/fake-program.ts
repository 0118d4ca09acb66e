import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** An executable shell script that stands for a program, and its path. */
export function writeScript(path: string, body: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/**
 * A `go` that says its version and otherwise runs `body`, where `$7` is the file to build: it is called as
 * `go build -v -trimpath -ldflags … -o <file> <package>`.
 */
export function writeGo(folder: string, body: string, version = "go1.26.0"): string {
  const saysVersion = `if [ "$1" = version ]; then echo "go version ${version} any/any"; exit; fi`;
  return writeScript(join(folder, "go"), `${saysVersion}\n${body}`);
}
