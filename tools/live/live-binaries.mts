import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { repository } from "../steps/repository.mjs";

/** A real server that is built from its own Go module under `test/live/`. */
export interface LiveBinary {
  readonly title: string;
  readonly folder: string;
  /** The module file, beside which lies its `.sum`. */
  readonly moduleFile: string;
}

export const liveBinaries = {
  "vault-1.21": { title: "Vault 1.21.1", folder: "test/live/vault", moduleFile: "go.mod" },
  "vault-1.19": { title: "Vault 1.19.0", folder: "test/live/vault", moduleFile: "vault-1.19.mod" },
  consul: { title: "Consul 1.22.0", folder: "test/live/consul", moduleFile: "go.mod" },
} as const satisfies Record<string, LiveBinary>;

export type LiveBinaryName = keyof typeof liveBinaries;

/** Outside the repository, so that a fresh clone finds what an earlier one has built. */
export function liveCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "trustplane", "live");
}

/** Where the binary is, or will be once it is built: the name says from which sources and module versions. */
export function liveBinaryPath(name: LiveBinaryName, env: NodeJS.ProcessEnv = process.env): string {
  const { folder, moduleFile } = liveBinaries[name];
  const hash = createHash("sha256");
  for (const file of ["main.go", moduleFile, moduleFile.replace(/\.mod$/, ".sum")]) {
    hash.update(readFileSync(join(repository, folder, file)));
  }
  return join(liveCacheFolder(env), `${name}-${hash.digest("hex").slice(0, 16)}`);
}

export function isLiveBinaryThere(name: LiveBinaryName): boolean {
  return existsSync(liveBinaryPath(name));
}

/** The Python of the virtual environment that moto lives in, keyed by its requirements. */
export function motoPythonPath(env: NodeJS.ProcessEnv = process.env): string {
  const requirements = readFileSync(join(repository, "test/live/moto/requirements.txt"));
  const key = createHash("sha256").update(requirements).digest("hex").slice(0, 16);
  return join(liveCacheFolder(env), `moto-${key}`, "bin", "python");
}
