import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { PACKAGE_NAME } from "../../provider/core/package-name";
import { parseJson } from "../../provider/core/parse-json";
import { isRecord } from "../../provider/core/unknowns";
import { packageFolder } from "./package-manifest";

/**
 * What a package.json names to get the package that runs: its version where it came from a registry, and else the path of the
 * file or folder that it came from. Whoever has the name on a registry would otherwise run code at our users.
 */
export function packageRange(folder: string = packageFolder()): string {
  const manifest = jsonOf(join(folder, "package.json"));
  const version = isRecord(manifest) ? String(manifest["version"]) : "";
  const modules = dirname(folder);
  if (basename(modules) !== "node_modules") return `file:${join(folder, "dist-release", packedName(version))}`;
  const source = npmsNote(modules);
  if (source?.startsWith("file:")) return `file:${resolve(dirname(modules), source.slice("file:".length))}`;
  const isFromRegistry = source?.startsWith("http") || basename(dirname(modules)).startsWith(storeName(version));
  return isFromRegistry ? `^${version}` : `file:${folder}`;
}

/** The name that `npm pack` gives the package. */
function packedName(version: string): string {
  return `${PACKAGE_NAME.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** How pnpm calls the folder of what came from a registry. */
function storeName(version: string): string {
  return `${PACKAGE_NAME.replace("/", "+")}@${version}`;
}

/** From where npm installed the package. */
function npmsNote(modules: string): string | undefined {
  const lock = jsonOf(join(modules, ".package-lock.json"));
  const packages = isRecord(lock) ? lock["packages"] : undefined;
  const note = isRecord(packages) ? packages[`node_modules/${PACKAGE_NAME}`] : undefined;
  return isRecord(note) && typeof note["resolved"] === "string" ? note["resolved"] : undefined;
}

function jsonOf(file: string): unknown {
  return existsSync(file) ? parseJson(readFileSync(realpathSync(file), "utf8")) : undefined;
}

/** Says from where, when that is a path: a project that somebody else has needs another one. */
export const installCommand = (range = packageRange()) =>
  range.startsWith("file:") ? `npm install # takes ${PACKAGE_NAME} from ${range.slice("file:".length)}` : "npm install";
