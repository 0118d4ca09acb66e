import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder } from "../steps/repository.mjs";
import { runNpm } from "../steps/run-npm.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { StepError } from "../steps/step-error.mjs";
import { PLATFORMS, type Platform } from "./platforms.mts";

/** Node for a platform, and its licence. */
export interface PlatformNode {
  readonly binary: string;
  readonly licence: string;
}

export async function platformNode({ os, node }: Platform): Promise<PlatformNode> {
  const folder = await fetched(node);
  // The package for Windows has no licence; it is that of the release.
  const same = PLATFORMS.find((each) => each.os !== "windows" && each.node.version === node.version);
  const files = [folder, ...(same ? [await fetched(same.node)] : [])].map((each) => join(each, "LICENSE"));
  const licence = files.find((file) => existsSync(file));
  if (licence === undefined) throw new StepError(`${node.name}@${node.version} has no licence to hand on`);
  return {
    binary: join(folder, "bin", os === "windows" ? "node.exe" : "node"),
    licence: readFileSync(licence, "utf8"),
  };
}

/** Fetches Node from the npm registry, once, and compares what came with the digest of the table. */
async function fetched({ name, version, integrity }: Platform["node"]): Promise<string> {
  const folder = join(cacheFolder, `${name}-${version}`);
  if (!existsSync(folder)) {
    await withScratchFolder(cacheFolder, async (scratch) => {
      await runNpm(["pack", `${name}@${version}`, "--pack-destination", scratch]);
      const tarball = join(scratch, readdirSync(scratch).find((file) => file.endsWith(".tgz")) ?? "");
      const digest = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
      if (digest !== integrity) throw new StepError(`${name}@${version} is not what it was: its digest is ${digest}`);
      await runTool("tar", ["-xzf", tarball], { cwd: scratch });
      mkdirSync(dirname(folder), { recursive: true });
      renameSync(join(scratch, "package"), folder);
    });
  }
  return folder;
}
