// @ts-check
// Prints the text that Pulumi captures of a provider: what ends up as `__provider` in the state.
const { createRequire } = require("node:module");
const path = require("node:path");

const program = createRequire(path.join(process.cwd(), "package.json"));
const provider = program("trustplane/dynamic/jwtRole");
const { serializeFunction } = program("@pulumi/pulumi/runtime/closure/serializeClosure");

// As `pulumi.dynamic.Resource` does it.
serializeFunction(() => provider, { allowSecrets: true }).then((/** @type {{ text: string }} */ { text }) => {
  process.stdout.write(JSON.stringify({ provider: text }));
});
