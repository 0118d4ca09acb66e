// @ts-check
// `pulumi-resource-pulumi-nodejs`: starts the host of dynamic providers that the SDK of the program brings, as the script of
// that name in the npm package does (which is not executable in every install, and uses whatever `node` is on PATH).
const { createRequire } = require("node:module");
const path = require("node:path");

const script = "@pulumi/pulumi/cmd/dynamic-provider";
const program = createRequire(path.join(process.cwd(), "package.json"));

/** The program's SDK; ours when there is no program, as in `pulumi destroy` of a stack whose program is gone. */
function resolveHost() {
  try {
    return program.resolve(script);
  } catch {
    return require.resolve(script);
  }
}

require(resolveHost());
