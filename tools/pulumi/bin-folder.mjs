// @ts-check
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../steps/repository.mjs";
import { isExecutable, which } from "../steps/which.mjs";

const languageHost = fileURLToPath(new URL("./language-host.cjs", import.meta.url));
const dynamicHost = fileURLToPath(new URL("./dynamic-host.cjs", import.meta.url));
const endWithParent = fileURLToPath(new URL("./end-with-parent.cjs", import.meta.url));

/**
 * A CLI that can run Node.js programs: the given one when its language host is there (every released CLI brings it), else a
 * folder of this project that holds the same binary with our own language host and the SDK's dynamic provider host beside
 * it. Beside it, because Pulumi warns about plugins found elsewhere; of this project, because `~/.pulumi` is the user's.
 * @param {import("./find-pulumi-cli.mjs").FoundCli} cli
 * @param {NodeJS.ProcessEnv} env
 * @param {{ cache?: string }} [options]
 */
export function withNodeHosts({ command, version }, env, { cache = cacheFolder } = {}) {
  const beside = join(dirname(realpathSync(command)), "pulumi-language-nodejs");
  if (isExecutable(beside) || which("pulumi-language-nodejs", env)) return command;

  const folder = join(cache, `pulumi-${version}`);
  mkdirSync(folder, { recursive: true });
  const linked = join(folder, "pulumi");
  if (!isSameFile(linked, command)) replace(linked, (path) => linkOrCopy(realpathSync(command), path));
  writeLauncher(join(folder, "pulumi-language-nodejs"), languageHost);
  writeLauncher(join(folder, "pulumi-resource-pulumi-nodejs"), dynamicHost);
  return linked;
}

/**
 * @param {string} path
 * @param {string} script
 */
function writeLauncher(path, script) {
  const words = [process.execPath, "--require", endWithParent, script].map(shellQuoted).join(" ");
  const text = `#!/bin/sh\nexec ${words} "$@"\n`;
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  replace(path, (unfinished) => {
    writeFileSync(unfinished, text);
    chmodSync(unfinished, 0o755);
  });
}

/**
 * Puts a whole new file in place of what may be in use by another process.
 * @param {string} path
 * @param {(unfinished: string) => void} make
 */
function replace(path, make) {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    make(unfinished);
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/**
 * A symbolic link would not do: Pulumi looks beside the file that it resolves to. A hard link costs nothing, but cannot
 * cross file systems.
 * @param {string} from
 * @param {string} to
 */
function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
    chmodSync(to, 0o755);
  }
}

/**
 * @param {string} ours
 * @param {string} theirs
 */
function isSameFile(ours, theirs) {
  if (!existsSync(ours)) return false;
  const [a, b] = [statSync(ours), statSync(theirs)];
  return (a.ino === b.ino && a.dev === b.dev) || (a.size === b.size && a.mtimeMs >= b.mtimeMs);
}

/** @param {string} word */
const shellQuoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
