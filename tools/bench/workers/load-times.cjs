// @ts-check
// Prints how long it takes to load what the dynamic provider consists of, in the order in which a program loads it.
const startedAt = performance.now();
const { createRequire } = require("node:module");
const path = require("node:path");

const program = createRequire(path.join(process.cwd(), "package.json"));

/** @param {() => unknown} work */
async function milliseconds(work) {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function main() {
  // performance.now() counts from the start of the process.
  const node = startedAt;
  const pulumi = await milliseconds(() => program("@pulumi/pulumi"));
  const provider = await milliseconds(() => program("trustplane/dynamic/jwtRole"));
  const host = program.resolve("trustplane/dynamic/jwtRole").replace(/modules[\\/]jwtRole\.js$/, "host.js");
  const engine = await milliseconds(() => require(host));
  process.stdout.write(JSON.stringify({ node, pulumi, provider, engine }), () => process.exit());
}

void main();
