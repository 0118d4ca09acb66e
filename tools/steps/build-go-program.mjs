// @ts-check
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findGo } from "./find-go.mjs";
import { runTool } from "./run-tool.mjs";
import { withScratchFolder } from "./scratch-folder.mjs";

/**
 * Builds a Go program from a module that consists of `sources`: minutes the first time, seconds once Go's build cache is warm.
 * The binary is renamed into place when it is whole and `check` has not thrown. A module that brings its `go.sum` is built
 * from exactly the modules that this lists; one without gets what its `go.mod` leads to.
 * @param {object} options
 * @param {string} options.output where the binary goes
 * @param {Readonly<Record<string, string | Uint8Array>>} options.sources file names and their contents
 * @param {string} options.main the package to build, as `go build` takes it
 * @param {string} options.linkerFlags
 * @param {(binary: string) => unknown} options.check throws when the binary is not what it should be
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(line: string) => void} [options.onLine]
 * @returns {Promise<string>} `output`
 */
export async function buildGoProgram({ output, sources, main, linkerFlags, check, env, onLine }) {
  const go = findGo(env);
  await withScratchFolder(dirname(output), async (scratch) => {
    const [module, goScratch] = [join(scratch, "module"), join(scratch, "go")];
    for (const folder of [module, goScratch]) mkdirSync(folder);
    for (const [name, content] of Object.entries(sources)) writeFileSync(join(module, name), content);
    const binary = join(scratch, "binary");
    const goFlags = [`-mod=${"go.sum" in sources ? "readonly" : "mod"}`, "-buildvcs=false"].join(" ");
    await runTool(go, ["build", "-v", "-trimpath", "-ldflags", linkerFlags, "-o", binary, main], {
      cwd: module,
      // Go's own scratch folder lies in ours, because go leaves it behind when it is ended.
      env: { ...env, GOFLAGS: goFlags, GOWORK: "off", GOTMPDIR: goScratch },
      ...(onLine ? { onLine } : {}),
    });
    await check(binary);
    renameSync(binary, output);
  });
  return output;
}
