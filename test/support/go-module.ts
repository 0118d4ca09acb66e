import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findGo } from "../../tools/steps/find-go.mjs";
import { repository } from "../../tools/steps/repository.mjs";

const sdk = join(repository, "sdk/go");

/** A module with the SDK, and these files and variables. Returns what runs Go in it, and answers what that prints. */
export function goModule(folder: string, files: Readonly<Record<string, string>>, variables: NodeJS.ProcessEnv = {}) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(sdk, "go.sum"), join(folder, "go.sum"));
  writeFileSync(
    join(folder, "go.mod"),
    `module program\n\ngo 1.26\n\nrequire trustplane/sdk/go v0.0.0\n\nreplace trustplane/sdk/go => ${sdk}\n`,
  );
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const env = { ...process.env, ...variables, GOFLAGS: "-mod=mod", GOWORK: "off" };
  return async (...args: string[]) =>
    (await promisify(execFile)(findGo(process.env), args, { cwd: folder, env, maxBuffer: 1 << 26 })).stdout;
}
