import { fileURLToPath } from "node:url";
import "./load-sources.mts";

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
