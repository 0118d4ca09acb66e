import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One call of Pulumi's engine to the plugin, scrubbed of what differs from run to run; members as protobuf writes JSON. */
export interface RecordedCall {
  /** Such as `/pulumirpc.ResourceProvider/Check`. */
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

/** What the CLI is told, in this order; each has a recording of its own. */
export const recordedRuns = ["up", "preview", "refresh", "update", "destroy"] as const;
export type RecordedRun = (typeof recordedRuns)[number];

export function recordedRunFile(run: RecordedRun): string {
  return join(import.meta.dirname, "../fixtures/grpc", `${run}.jsonl`);
}

export function readRecordedRun(run: RecordedRun): readonly RecordedCall[] {
  const lines = readFileSync(recordedRunFile(run), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}
