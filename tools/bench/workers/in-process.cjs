// @ts-check
// Calls check and diff of a provider with no gRPC between. Reads the resources from a file, prints milliseconds per resource.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");

const program = createRequire(path.join(process.cwd(), "package.json"));
const provider = program("trustplane/dynamic/jwtRole");

/** @typedef {{ id: string, state: object, inputs: object, checked: object }} Resource */
/** @type {{ rounds: number, parallel: number, firstResources: number, resources: Resource[] }} */
const { rounds, parallel, firstResources, resources } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));

/** @param {Resource} resource */
async function checkAndDiff({ id, state, inputs, checked }) {
  await provider.check(state, inputs);
  await provider.diff(id, state, checked);
}

/** The wall time of a round divided by the resources. @param {readonly Resource[]} items @param {number} width */
async function perResource(items, width) {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await checkAndDiff(item);
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: width }, lane));
  return (performance.now() - startedAt) / items.length;
}

async function main() {
  /** @type {{ first: number[], sequential: number[], parallel: number[] }} */
  const results = { first: [], sequential: [], parallel: [] };
  await provider.configure({ config: { get: () => undefined } });
  for (const { state, inputs } of resources.slice(0, 1)) await provider.check(state, inputs);
  for (const item of resources.slice(0, firstResources)) results.first.push(await perResource([item], 1));
  for (let round = 0; round < rounds; round += 1) {
    results.sequential.push(await perResource(resources, 1));
    results.parallel.push(await perResource(resources, parallel));
  }
  process.stdout.write(JSON.stringify(results), () => process.exit());
}

void main();
