// `npm run docs`: the documentation as an HTML site, in a folder to serve from anywhere; `--out` names another folder. It fails
// for a link that leads nowhere. `npm run docs -- --watch` serves the site on this machine while the pages are edited.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, createServer } from "vitepress";
import { repository } from "../steps/repository.mjs";

const docs = join(repository, "docs");
const { values } = parseArgs({ options: { watch: { type: "boolean" }, out: { type: "string" } } });

if (values.watch) {
  const server = await createServer(docs, { host: "127.0.0.1" });
  await server.listen();
  server.printUrls();
} else {
  const outDir = values.out ?? join(docs, ".vitepress", "dist");
  await build(docs, { outDir });
  process.stdout.write(`The site is in ${outDir}: serve it with any web server.\n`);
}
