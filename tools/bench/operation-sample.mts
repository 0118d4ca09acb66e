import type { BenchServer } from "./bench-server.mts";
import type { Cell } from "./markdown.mts";
import { sampleMemory } from "./memory-sampler.mts";
import { endedChildrenSeconds } from "./processor-time.mts";
import { summaryOf } from "./statistics.mts";

/** One operation, as it was measured once. */
export interface Sample {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly pluginMebibytes: number;
  readonly allMebibytes: number;
  /** Undefined where nobody counts them. */
  readonly requests: number | undefined;
}

/** Where the records go. */
export interface Target {
  readonly env: Readonly<Record<string, string>>;
  readonly pids: readonly number[];
  countRequests(): Promise<number | undefined>;
}

/** The server's log may have dropped older ones when it holds as many. */
const LOGGED_REQUESTS = 5_000;

export function embedded(server: BenchServer): Target {
  return {
    env: server.env,
    pids: [server.pid],
    async countRequests() {
      const { length } = await server.takeRequests();
      return length < LOGGED_REQUESTS ? length : undefined;
    },
  };
}

export async function sampled(target: Target, work: () => Promise<unknown>): Promise<Sample> {
  await target.countRequests();
  const sampler = sampleMemory({ without: target.pids });
  const [startedAt, processorBefore] = [performance.now(), endedChildrenSeconds() ?? 0];
  try {
    await work();
  } finally {
    sampler.stop();
  }
  return {
    seconds: (performance.now() - startedAt) / 1000,
    processorSeconds: (endedChildrenSeconds() ?? 0) - processorBefore,
    pluginMebibytes: sampler.pluginMebibytes(),
    allMebibytes: sampler.stop() ?? 0,
    requests: await target.countRequests(),
  };
}

/** The columns of `sampleCells`. Seconds of all runs; of the rest the medians. */
export const sampleHeader = ["s, min", "s, median", "s, max", "CPU s", "plugin MiB", "all MiB", "requests"] as const;

/** One operation of several runs, as cells of a table. */
export function sampleCells(samples: readonly Sample[]): readonly Cell[] {
  const median = (of: (sample: Sample) => number) => summaryOf(samples.map(of)).median;
  const { min, median: middle, max } = summaryOf(samples.map(({ seconds }) => seconds));
  return [
    ...[min, middle, max, median(({ processorSeconds }) => processorSeconds)],
    Math.round(median(({ pluginMebibytes }) => pluginMebibytes)) || undefined,
    Math.round(median(({ allMebibytes }) => allMebibytes)),
    samples[0]?.requests,
  ];
}
