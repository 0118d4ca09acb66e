import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// Runs from the sources, because a stale generated file may be what keeps the package from compiling: Node strips the
// types, and here it learns that these sources name each other without an ending and are written as ES modules.
registerHooks({
  resolve(specifier, context, next) {
    const isSource = specifier.startsWith(".") && !/\.[cm]?[jt]s$/.test(specifier);
    if (!isSource) return next(specifier, context);
    try {
      return next(`${specifier}.ts`, context);
    } catch {
      return next(`${specifier}/index.ts`, context);
    }
  },
  load(url, context, next) {
    const isSource = url.endsWith(".ts") && !url.includes("/node_modules/");
    return next(url, isSource ? { ...context, format: "module-typescript" } : context);
  },
});

const { refreshFiles, staleFiles, wantedFiles } = await import("./repository-files.ts");

const repository = fileURLToPath(new URL("..", import.meta.url));
const stale = staleFiles(repository, wantedFiles(repository));
const paths = stale.map(({ path }) => path);
if (process.argv.includes("--check")) {
  for (const path of paths) process.stderr.write(`stale: ${path}\n`);
  if (paths.length > 0) process.stderr.write("Run `npm run generate` and commit what it writes.\n");
  process.exitCode = paths.length > 0 ? 1 : 0;
} else {
  refreshFiles(repository, stale);
  for (const path of paths) process.stdout.write(`wrote ${path}\n`);
  if (paths.length === 0) process.stdout.write("Everything generated is current.\n");
}
