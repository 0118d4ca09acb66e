import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import type { ProviderBundle } from "./bundle-provider.mts";
import type { PlatformNode } from "./platform-node.mts";
import { ownPlatform, type Platform } from "./platforms.mts";
import type { ArchivedFile } from "./zip-archive.mts";

/** By this mark Node knows a copy of itself that carries a program. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const SCRIPT = "provider.js";
const CODE = "provider.code";
const LOADER = "loader.cjs";

export interface ProviderParts {
  readonly bundle: ProviderBundle;
  readonly node: PlatformNode;
  readonly version: string;
}

/** What the archive of a platform holds. `scratch` is a folder for what is made on the way. */
export async function providerFiles(
  platform: Platform,
  parts: ProviderParts,
  scratch: string,
): Promise<ArchivedFile[]> {
  writeFileSync(join(scratch, SCRIPT), parts.bundle.script);
  writeFileSync(join(scratch, LOADER), readFileSync(join(repository, "tools/terraform", LOADER)));
  // Compiled code is for the Node and the processor that made it.
  const hasCode = platform === ownPlatform();
  if (hasCode) await compile(parts.node.binary, scratch);
  const names = hasCode ? [SCRIPT, CODE] : [SCRIPT];
  const name = `terraform-provider-trustplane_v${parts.version}`;
  const files =
    platform.os === "darwin"
      ? folder(name, names, parts, scratch)
      : [await executable(platform, name, names, parts, scratch)];
  return [...files, ...licences(parts)];
}

/** The provider is started once, so that what a start needs is compiled. */
async function compile(node: string, scratch: string): Promise<void> {
  const program = `const { script, provider } = require("./${LOADER}");
    provider.started.then(() => {
      require("node:fs").writeFileSync("${CODE}", script.createCachedData());
      process.kill(process.pid, "SIGTERM");
    });`;
  await runTool(node, ["-e", program, "--", "--debug"], { cwd: scratch });
}

/** Node itself, with the program inside. */
async function executable(
  { os }: Platform,
  name: string,
  assets: readonly string[],
  { node }: ProviderParts,
  scratch: string,
): Promise<ArchivedFile> {
  const config = {
    main: LOADER,
    output: "program",
    disableExperimentalSEAWarning: true,
    assets: Object.fromEntries(assets.map((asset) => [asset, asset])),
  };
  writeFileSync(join(scratch, "config.json"), JSON.stringify(config));
  await runTool(process.execPath, ["--experimental-sea-config", "config.json"], { cwd: scratch });
  const file = join(scratch, name);
  writeFileSync(file, readFileSync(node.binary));
  // Its own process: it writes warnings about each Node, which say nothing.
  const injector = join(repository, "node_modules/postject/dist/cli.js");
  await runTool(process.execPath, [injector, name, "NODE_SEA_BLOB", "program", "--sentinel-fuse", FUSE], {
    cwd: scratch,
  });
  return { name: os === "windows" ? `${name}.exe` : name, content: readFileSync(file), isExecutable: true };
}

/**
 * A script, and Node beside it as it was published: macOS runs nothing whose signature is broken, and a program inside Node
 * would break that of its publisher.
 */
function folder(name: string, names: readonly string[], { node }: ProviderParts, scratch: string): ArchivedFile[] {
  const start = ["#!/bin/sh", 'here=$(dirname -- "$0")', `exec "$here/node" "$here/${LOADER}" "$@"`, ""].join("\n");
  return [
    { name, content: Buffer.from(start), isExecutable: true },
    { name: "node", content: readFileSync(node.binary), isExecutable: true },
    ...[LOADER, ...names].map((each) => ({ name: each, content: readFileSync(join(scratch, each)) })),
  ];
}

function licences({ bundle, node }: ProviderParts): ArchivedFile[] {
  return [
    { name: "LICENSE", content: readFileSync(join(repository, "LICENSE")) },
    { name: "LICENSE-libraries.txt", content: Buffer.from(bundle.licences) },
    { name: "LICENSE-node.txt", content: Buffer.from(node.licence) },
  ];
}
