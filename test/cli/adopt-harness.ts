import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { onTestFinished } from "vitest";
import { startServers } from "../../server/serve.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { rawApi } from "../support/contract-raw.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { run } from "./drift-harness.ts";

/** What a run of `trustplane adopt` came to. */
export interface AdoptRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The files of the project by path; none where nothing was written. */
  readonly files: Readonly<Record<string, string>>;
}

/** Embedded servers, and the command on them. */
export async function openAdoption() {
  const server = await startServers();
  onTestFinished(() => server.close());
  const env = environmentOf(server);
  return {
    server,
    env,
    raw: (service: "secrets" | "cluster" | "policy") => rawApi(service, server[service]),
    adopt: (...flags: string[]) => adopt(env, flags),
  };
}

/** Runs the command with nothing but these variables, and a new output folder unless the flags name one. */
export async function adopt(env: Readonly<Record<string, string>>, flags: readonly string[]): Promise<AdoptRun> {
  const folder = folderOfTest();
  const out = join(folder, "trust");
  const place = flags.includes("--out") ? [] : ["--out", out];
  const { code, out: text, err } = await run(["adopt", ...flags, ...place], env);
  return { code, out: text, err, files: filesIn(out) };
}

export function filesIn(folder: string): Record<string, string> {
  try {
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
  } catch {
    return {};
  }
}
