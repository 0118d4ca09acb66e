import type { Progress } from "../steps/progress.mjs";
import { ensureLiveBinary } from "./ensure-live-binary.mts";
import { ensurePythonPackages } from "./ensure-python-packages.mts";
import { type LiveBinaryName, liveBinaries } from "./live-binaries.mts";

/** What the usual live run does without: releases beside the newest. */
const others: readonly LiveBinaryName[] = ["vault-1.19", "opentofu"];

interface Options {
  /** Releases beside the newest, too. */
  readonly isEvery: boolean;
  readonly progress: Progress;
  readonly env?: NodeJS.ProcessEnv;
}

/** Gets the real servers and CLIs. What needs Python first: that it is missing is known at once, and not after the minutes that builds take. */
export async function ensureLiveServers({ isEvery, ...options }: Options): Promise<void> {
  const python = isEvery ? (["moto", "terraform", "terraform-1.8"] as const) : (["moto"] as const);
  for (const name of python) await ensurePythonPackages(name, options);
  const binaries = (Object.keys(liveBinaries) as LiveBinaryName[]).filter((name) => isEvery || !others.includes(name));
  // One after the other: a build of Go takes all processors.
  for (const name of binaries) await ensureLiveBinary(name, options);
}
