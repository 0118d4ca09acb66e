import type { Progress } from "../steps/progress.mjs";
import { ensureLiveBinary } from "./ensure-live-binary.mts";
import { ensurePythonPackages } from "./ensure-python-packages.mts";
import { type LiveBinaryName, liveBinaries } from "./live-binaries.mts";

/** Gets every real server and CLI. What needs Python first: that it is missing is known at once, and not after the minutes that builds take. */
export async function ensureLiveServers(options: { progress: Progress; env?: NodeJS.ProcessEnv }): Promise<void> {
  for (const name of ["moto", "terraform", "terraform-1.8"] as const) await ensurePythonPackages(name, options);
  // One after the other: a build of Go takes all processors.
  for (const name of Object.keys(liveBinaries) as LiveBinaryName[]) await ensureLiveBinary(name, options);
}
