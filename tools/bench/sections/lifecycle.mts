import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type BenchStack, commands, openBenchStack } from "../bench-program.mts";
import { withServer } from "../bench-server.mts";
import { type Cell, figure, summaryCells, summaryHeader, table } from "../markdown.mts";
import { residentMebibytes, sampleMemory } from "../memory-sampler.mts";
import {
  type ReferenceSeconds,
  referenceMemoryMebibytes,
  referenceNote,
  referenceSeconds,
  type TimedOperation,
} from "../reference-figures.mts";
import { sampleRoles } from "../sample-resources.mts";
import type { BenchContext, Section } from "../section.mts";
import { summaryOf } from "../statistics.mts";

/** The sizes that the reference figures have. */
const sizes = [1, 100, 1_000];
/** Above it one run takes minutes, and says enough. */
const mostRepeated = 100;
const repetitions = 3;
/** Keeps the state in memory until the end: what is left is the provider's and the engine's own time. */
const withoutCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

interface Timing {
  readonly seconds: number;
  readonly peakMebibytes: number | undefined;
}
type Timings = Readonly<Partial<Record<TimedOperation, Timing>>>;
/** One life of a stack. */
interface Life {
  readonly timings: Timings;
  readonly stateKibibytes: number;
  readonly serverMebibytes: number;
}

export const lifecycle: Section = {
  name: "lifecycle",
  title: "Lifecycle of a stack with the real CLI",
  async measure(context) {
    const measured: Cell[][] = [];
    const summaries: string[] = [];
    for (const count of sizesUpTo(context.roles)) {
      const runs = count <= mostRepeated ? repetitions : 1;
      const lives: Life[] = [];
      for (let run = 1; run <= runs; run += 1) lives.push(await live(context, count, `${run}/${runs}`));
      measured.push(...rowsOf(count, lives));
      summaries.push(summaryText(count, lives));
    }
    const header = ["roles", "operation", "runs", ...summaryHeader.map((word) => `s, ${word}`), "peak MiB"];
    return [
      "Wall seconds of the real CLI with the embedded server in a process of its own, a file backend and the CLI's own degree of " +
        "parallelism; no step shows a preview first. The program is plain JavaScript. Peak memory is the highest sum of resident " +
        "memory of CLI, language host, program and provider (pages that they share count more than once), sampled five times a " +
        "second, without the embedded server.",
      "",
      table([...header, "Pulumi + bridged, s ¹", "Terraform, s ¹"], measured),
      "",
      ...summaries.flatMap((text) => [text, ""]),
      `¹ ${referenceNote} Their peak memory with 1,000 roles: ${figure(referenceMemoryMebibytes.bridged)} MiB (Pulumi, bridged) and ` +
        `${figure(referenceMemoryMebibytes.terraform)} MiB (Terraform).`,
    ].join("\n");
  },
};

function sizesUpTo(roles: number): number[] {
  return [...new Set([...sizes.filter((size) => size < roles), roles])];
}

async function live(context: BenchContext, count: number, run: string): Promise<Life> {
  const first = sampleRoles(count);
  const second = sampleRoles(count, { revision: 1 });
  return withServer(async (server) => {
    const stack = await openBenchStack({ roles: first }, server.env);
    const timings: Partial<Record<TimedOperation, Timing>> = {};
    const time = async (operation: TimedOperation, args: readonly string[], env = {}) => {
      const title = `${count} roles, run ${run}: ${operation}`;
      timings[operation] = await context.step(title, () => timed(stack, args, { env, without: [server.pid] }));
    };
    try {
      await time("up", commands.up);
      await time("preview", commands.preview);
      await time("refresh", commands.refresh);
      const stateKibibytes = stateBytes(stack) / 1024;
      stack.declare({ roles: second });
      await time("change all", commands.up);
      await time("destroy", commands.destroy);
      await time("up without checkpoints", commands.up, withoutCheckpoints);
      return { timings, stateKibibytes, serverMebibytes: residentMebibytes(server.pid, "VmHWM") };
    } finally {
      await stack.sandbox.close();
    }
  });
}

async function timed(
  stack: BenchStack,
  args: readonly string[],
  { env, without }: { env: Readonly<Record<string, string>>; without: readonly number[] },
): Promise<Timing> {
  const sampler = sampleMemory({ without });
  try {
    const seconds = await stack.run(args, env);
    return { seconds, peakMebibytes: sampler.stop() };
  } finally {
    sampler.stop();
  }
}

function rowsOf(count: number, lives: readonly Life[]): Cell[][] {
  const [first] = lives;
  return Object.keys(first?.timings ?? {}).map((name) => {
    // Object.keys forgets the names of the keys.
    const operation = name as TimedOperation;
    const timings = lives.map((life) => life.timings[operation]).filter((timing) => timing !== undefined);
    const peaks = timings.map(({ peakMebibytes }) => peakMebibytes).filter((peak) => peak !== undefined);
    const { bridged, terraform }: ReferenceSeconds = referenceSeconds[count]?.[operation] ?? {};
    const seconds = summaryOf(timings.map((timing) => timing.seconds));
    const peak = peaks.length === 0 ? undefined : Math.round(Math.max(...peaks));
    return [count, operation, seconds.runs, ...summaryCells(seconds), peak, bridged, terraform];
  });
}

function summaryText(count: number, lives: readonly Life[]): string {
  const state = summaryOf(lives.map(({ stateKibibytes }) => stateKibibytes)).median;
  const server = Math.max(...lives.map(({ serverMebibytes }) => serverMebibytes));
  const held = server === 0 ? "" : `; the embedded server held ${figure(Math.round(server))} MiB at most`;
  return `${figure(count)} ${count === 1 ? "role" : "roles"}: the state file has ${figure(Math.round(state))} KiB${held}.`;
}

/** The file that the engine rewrites after every step. */
function stateBytes({ sandbox }: BenchStack): number {
  const folder = join(sandbox.folder, "backend", ".pulumi", "stacks");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  if (files.length !== 1) throw new Error(`one state file was expected in ${folder}: ${files.join(", ")}`);
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
