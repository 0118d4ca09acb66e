// @ts-check
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of this repository, wherever it was cloned and whatever the working directory is. */
export const repository = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");

/** What can be made again at any time; `npm ci` empties it together with `node_modules`. */
export const cacheFolder = join(repository, "node_modules", ".cache", "trustplane");
