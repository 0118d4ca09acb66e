// @ts-check
// The first code of a packaged provider: in an executable that is Node itself, or in a folder with Node beside it.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const sea = require("node:sea");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");

// V8 takes compiled code under no other flags than those it was compiled with: Node's own modules come before the flag.
for (const name of ["http2", "zlib", "dns", "cluster"]) require(`node:${name}`);
// Before the provider allocates: requests leave garbage that V8 would let grow to three times what is in use.
setFlagsFromString("--optimize-for-size");

const script = new Script(`(function (exports, require) {${part("provider.js").toString("latin1")}\n})`, {
  filename: "terraform-provider-trustplane",
  ...compiled(),
});
/** @type {{ started?: Promise<void> }} */
const provider = {};
script.runInThisContext()(provider, require);

// For the packaging, which keeps the compiled code.
module.exports = { script, provider };

/**
 * A part of the package.
 * @param {string} name
 */
function part(name) {
  return sea.isSea() ? Buffer.from(sea.getRawAsset(name)) : readFileSync(join(__dirname, name));
}

/** Code that was compiled before, where there is some: to compile it is half of the start. V8 refuses that of another release. */
function compiled() {
  try {
    return { cachedData: part("provider.code") };
  } catch {
    return {};
  }
}
