// @ts-check
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { repository } from "./repository.mjs";

/**
 * A Node that is not part of `node_modules`: `npm ci` removes that folder while it runs, and npm must survive this. npm puts
 * `node_modules/.bin` first on PATH, so the Node that runs this file may well be the wrong one.
 */
export function systemNode() {
  const inside = join(repository, "node_modules") + sep;
  const name = process.platform === "win32" ? "node.exe" : "node";
  const candidates = [
    process.execPath,
    ...(process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)),
  ];
  const found = candidates.find((path) => existsSync(path) && !realpathSync(path).startsWith(inside));
  return found ?? process.execPath;
}
