import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder, repository } from "../steps/repository.mjs";
import { runNpm } from "../steps/run-npm.mjs";
import { runTool } from "../steps/run-tool.mjs";

/** What a TypeScript program needs beside the package and its dependencies; `pulumi new` would put them into its package.json. */
const programPackages = ["@types/node", "typescript"];

/** The Pulumi SDK of a program: the newest of the range that is supported, with which everything is tested, and the oldest. */
const sdks = { newest: "@pulumi/pulumi", oldest: "pulumi-sdk-oldest" } as const;

export interface InstallOptions {
  /** @default "newest" */
  readonly sdk?: keyof typeof sdks;
}

/**
 * Gives a program folder the `node_modules` that `npm install trustplane` would: the packed package as a real copy (Pulumi
 * captures a linked one by value), and what it depends on as links to the repository's, which takes milliseconds and no
 * network. The SDK is a copy, too: it looks up the packages of a program from where it lies itself.
 */
export async function installPackedPackage(
  programFolder: string,
  { sdk = "newest" }: InstallOptions = {},
): Promise<void> {
  const ours = join(repository, "node_modules");
  const theirs = join(programFolder, "node_modules");
  rmSync(theirs, { recursive: true, force: true });
  mkdirSync(theirs, { recursive: true });
  cpSync(await packedPackage(), join(theirs, manifest().name), { recursive: true });
  cpSync(join(ours, sdks[sdk]), join(theirs, sdks.newest), { recursive: true });
  for (const name of new Set([...packagesFor(sdks[sdk]), ...programPackages])) {
    mkdirSync(dirname(join(theirs, name)), { recursive: true });
    symlinkSync(join(ours, name), join(theirs, name), "dir");
  }
  linkCommands(theirs);
}

/** Puts the package's commands where npm puts them, and `npx` looks. */
function linkCommands(modules: string): void {
  const { name, bin } = manifest();
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const [command, file] of Object.entries(bin)) {
    chmodSync(join(modules, name, file), 0o755);
    symlinkSync(join("..", name, file), join(modules, ".bin", command));
  }
}

/** The tarball of the current build. */
export async function packedTarball(): Promise<string> {
  const folder = dirname(await packedPackage());
  return join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "");
}

/** The unpacked tarball of the current build: packed once for each state of the files, whoever asks first. */
export async function packedPackage(): Promise<string> {
  const folder = join(cacheFolder, `packed-${fingerprint()}`);
  const content = join(folder, "package");
  if (existsSync(content)) return content;
  mkdirSync(cacheFolder, { recursive: true });
  for (const name of readdirSync(cacheFolder)) {
    if (name.startsWith("packed-") && isOld(join(cacheFolder, name)))
      rmSync(join(cacheFolder, name), { recursive: true, force: true });
  }
  const staging = join(cacheFolder, `packing-${randomUUID()}`);
  mkdirSync(staging);
  try {
    await runNpm(["pack", "--ignore-scripts", "--pack-destination", staging]);
    const tarball = readdirSync(staging).find((file) => file.endsWith(".tgz")) ?? "";
    await runTool("tar", ["-xzf", tarball], { cwd: staging });
    if (!existsSync(folder)) renameSync(staging, folder);
  } catch (error) {
    // Another worker may have packed the same state in the meantime.
    if (!existsSync(content)) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return content;
}

/** What npm would hoist beside the package and this SDK; what is nested in a package comes with it. */
function packagesFor(sdk: string): string[] {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(repository, "package-lock.json"), "utf8"),
  );
  const found = new Set<string>();
  const add = (name: string, dependent: string) => {
    const path = foldersAbove(dependent)
      .map((folder) => `${folder}node_modules/${name}`)
      .find((each) => each in packages && existsSync(join(repository, each)));
    // An optional one is not there on every system.
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, path);
  };
  for (const name of [sdk, ...Object.keys(manifest().dependencies)]) add(name, "");
  return [...found].map((path) => path.slice("node_modules/".length)).filter((path) => !isCopied(path));
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Nested, or an SDK. */
const isCopied = (path: string) => path.includes("/node_modules/") || Object.values<string>(sdks).includes(path);

/** Where Node looks for what the package at this path of a lock file imports: `node_modules/a/`, and the root. */
function foldersAbove(path: string): string[] {
  const parts = path.split("/node_modules/");
  return [...parts.map((_, index) => `${parts.slice(0, parts.length - index).join("/node_modules/")}/`), ""];
}

function manifest(): {
  name: string;
  files: readonly string[];
  bin: Record<string, string>;
  dependencies: Record<string, string>;
} {
  return JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
}

function fingerprint(): string {
  const hash = createHash("sha256").update(JSON.stringify(manifest()));
  if (!existsSync(join(repository, "dist"))) throw new Error("there is no dist/ to pack; `npm run build` makes it");
  const packed = manifest().files.filter((pattern) => !pattern.startsWith("!"));
  for (const path of packed.flatMap((name) => filesAt(join(repository, name)))) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** The file of this path, or the files in the folder. */
function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Not in use by a run that is still going on. */
const isOld = (folder: string) => Date.now() - statSync(folder).mtimeMs > 60 * 60 * 1000;
