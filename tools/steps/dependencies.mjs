// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./repository.mjs";
import { runNpm } from "./run-npm.mjs";

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, link?: boolean }>} LockedPackages */

/**
 * Installs the dependencies when `node_modules` is missing or is not what `package-lock.json` says.
 * @param {{ progress: import("./progress.mjs").Progress, root?: string }} options
 */
export async function ensureDependencies({ progress, root = repository }) {
  if (isInstalled(root)) return;
  await progress.step("installing the dependencies (npm ci)", (detail) =>
    runNpm(["ci", "--no-audit", "--no-fund"], {
      cwd: root,
      onLine: detail,
      next: "look at npm's lines above; most often the registry cannot be reached. Then run the command again.",
    }),
  );
}

/**
 * npm writes `node_modules/.package-lock.json` at the very end of an install, whoever started it, so this one file tells an
 * interrupted install and an outdated one from a good one. Packages for other platforms are rightly absent.
 * @param {string} root
 */
export function isInstalled(root) {
  const installedFile = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installedFile)) return false;
  const wanted = packagesIn(join(root, "package-lock.json"));
  const installed = packagesIn(installedFile);
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const there = installed[path];
    if (path === "" || (there === undefined && optional)) return true;
    return there !== undefined && there.version === version && there.integrity === integrity;
  });
}

/**
 * @param {string} file
 * @returns {LockedPackages}
 */
function packagesIn(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
}
