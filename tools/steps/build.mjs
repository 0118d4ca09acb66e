// @ts-check
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { cacheFolder, repository } from "./repository.mjs";
import { runTool } from "./run-tool.mjs";

const sourceFolders = ["provider", "sdk", "server", "cli", "tools/bundles", "tools/terraform"];
const sourceFiles = ["package.json", "tsconfig.json", "tsconfig.build.json", "package-lock.json", "schema/schema.json"];

/**
 * Makes `dist/` when a source has changed since the last build of this kind.
 * @param {{ progress: import("./progress.mjs").Progress }} options
 */
export async function ensureBuild({ progress }) {
  const record = join(cacheFolder, "build.json");
  const dist = join(repository, "dist");
  const now = sources();
  const before = existsSync(dist) && existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : undefined;
  if (before?.stamp === now.stamp) return;

  await progress.step("building the package (tsc, rolldown)", async () => {
    // The outputs of a source that is gone would be packed and published for ever.
    const isMissingOne = !before?.files.every((/** @type {string} */ file) => now.files.includes(file));
    if (isMissingOne) rmSync(dist, { recursive: true, force: true });
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
    await runTool(process.execPath, [tsc, "-p", "tsconfig.build.json", "--pretty", "false"], {
      cwd: repository,
      next: "fix the type errors above; `npm run typecheck` shows them for the tests and tools as well.",
    });
    await runTool(process.execPath, [join(repository, "tools/bundles/write-bundles.mts")], { cwd: repository });
  });
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(record, JSON.stringify(now));
}

function sources() {
  const files = sourceFolders.flatMap((folder) => filesUnder(join(repository, folder)));
  const hash = createHash("sha256");
  for (const file of [...files, ...sourceFiles.map((name) => join(repository, name))]) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return { stamp: hash.digest("hex"), files: files.map((file) => relative(repository, file)) };
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
