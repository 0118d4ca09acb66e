// @ts-check
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The path of a program on PATH, or undefined when there is none.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export function which(name, env) {
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, executable(name)))
    .find(isExecutable);
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What a program's file is called on this system. @param {string} name */
export const executable = (name) => (process.platform === "win32" ? `${name}.exe` : name);
