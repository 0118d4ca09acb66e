import { type BenchStack, commands, openBenchStack, stateBytes } from "../bench-program.mts";
import { type BenchServer, withServer } from "../bench-server.mts";
import { type HostName, hostNames, shareOf } from "../hosts.mts";
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
/** One life of a stack, and of one with native classes where there is one. */
interface Life {
  readonly timings: Timings;
  readonly stateKibibytes: number;
  readonly plugin?: { readonly timings: Timings; readonly stateKibibytes: number };
  readonly serverMebibytes: number;
}

export const lifecycle: Section = {
  name: "lifecycle",
  title: "Lifecycle of a stack with the real CLI",
  async measure(context) {
    const measured: Cell[][] = [];
    const summaries: string[] = [];
    const comparisons: string[] = [];
    for (const count of sizesUpTo(context.roles)) {
      const runs = count <= mostRepeated ? repetitions : 1;
      const lives: Life[] = [];
      for (let run = 1; run <= runs; run += 1) {
        // The largest stack alone: it takes minutes, and smaller ones are mostly Pulumi's own start.
        const hosts = count === context.roles && run === runs ? hostNames : (["dynamic"] as const);
        lives.push(await live(context, count, { run: `${run}/${runs}`, hosts }));
      }
      measured.push(...rowsOf(count, lives));
      summaries.push(summaryText(count, lives));
      comparisons.push(...lives.flatMap((life) => comparison(count, life)));
    }
    const header = ["roles", "operation", "runs", ...summaryHeader.map((word) => `s, ${word}`), "peak MiB"];
    const text = [
      "Wall seconds of the real CLI with the embedded server in a process of its own, a file backend and the CLI's own degree of " +
        "parallelism; no step shows a preview first. The program is plain JavaScript. Peak memory is the highest sum of resident " +
        "memory of CLI, language host, program and provider (pages that they share count more than once), sampled five times a " +
        "second, without the embedded server.",
      "",
      table([...header, "Pulumi + bridged, s ¹", "Terraform, s ¹"], measured),
      "",
      ...summaries.flatMap((text) => [text, ""]),
      ...comparisons.flatMap((text) => [text, ""]),
      `¹ ${referenceNote} Their peak memory with 1,000 roles: ${figure(referenceMemoryMebibytes.bridged)} MiB (Pulumi, bridged) and ` +
        `${figure(referenceMemoryMebibytes.terraform)} MiB (Terraform).`,
    ].join("\n");
    return { text, goals: [] };
  },
};

function sizesUpTo(roles: number): number[] {
  return [...new Set([...sizes.filter((size) => size < roles), roles])];
}

async function live(
  context: BenchContext,
  count: number,
  { run, hosts }: { readonly run: string; readonly hosts: readonly HostName[] },
): Promise<Life> {
  const first = sampleRoles(count);
  const second = sampleRoles(count, { revision: 1 });
  return withServers(hosts.length, async (servers) => {
    const without = servers.map(({ pid }) => pid);
    const stacks: HostStack[] = [];
    const time = async (
      { host, stack, timings }: HostStack,
      operation: TimedOperation,
      args: readonly string[],
      env = {},
    ) => {
      const title = `${count} roles, ${host}, run ${run}: ${operation}`;
      timings[operation] = await context.step(title, () => timed(stack, args, { env, without }));
    };
    try {
      for (const [index, host] of hosts.entries()) {
        stacks.push({
          host,
          stack: await openBenchStack({ roles: first }, servers[index]?.env ?? {}, host),
          timings: {},
        });
      }
      // In turns, so that a moment in which the machine is busy does not fall on one host alone.
      for (const operation of ["up", "preview", "refresh"] as const) {
        for (const each of stacks) await time(each, operation, commands[operation]);
      }
      const [dynamic, plugin] = stacks.map(({ stack, timings }) => ({
        timings,
        stateKibibytes: stateBytes(stack) / 1024,
      }));
      for (const each of stacks.slice(0, 1)) {
        each.stack.declare({ roles: second });
        await time(each, "change all", commands.up);
        await time(each, "destroy", commands.destroy);
        await time(each, "up without checkpoints", commands.up, withoutCheckpoints);
      }
      if (dynamic === undefined) throw new Error("a life needs a host");
      const serverMebibytes = Math.max(...without.map((pid) => residentMebibytes(pid, "VmHWM")));
      return { ...dynamic, ...(plugin ? { plugin } : {}), serverMebibytes };
    } finally {
      for (const { stack } of stacks) await stack.sandbox.close();
    }
  });
}

interface HostStack {
  readonly host: HostName;
  readonly stack: BenchStack;
  readonly timings: Partial<Record<TimedOperation, Timing>>;
}

/** Does the work with as many servers, each of its own. */
function withServers<T>(count: number, work: (servers: readonly BenchServer[]) => Promise<T>): Promise<T> {
  if (count === 0) return work([]);
  return withServer((server) => withServers(count - 1, (others) => work([server, ...others])));
}

/** The plugin beside the dynamic host; nothing where it was not measured. */
function comparison(count: number, { timings, stateKibibytes, plugin }: Life): string[] {
  if (plugin === undefined) return [];
  const rows = Object.entries(plugin.timings).map(([operation, native]) => {
    // Object.entries forgets the names of the keys, which are the dynamic host's as well.
    const dynamic = timings[operation as TimedOperation];
    if (dynamic === undefined) throw new Error(`${operation} was measured of the plugin alone`);
    const peaks = { dynamic: dynamic.peakMebibytes ?? 0, plugin: native.peakMebibytes ?? 0 };
    return [
      ...[operation, dynamic.seconds, native.seconds],
      shareOf({ dynamic: dynamic.seconds, plugin: native.seconds }),
      ...[Math.round(peaks.dynamic), Math.round(peaks.plugin), peaks.dynamic > 0 ? shareOf(peaks) : undefined],
    ];
  });
  const state = `The state file has ${figure(Math.round(plugin.stateKibibytes))} KiB with the native classes, ${figure(Math.round(stateKibibytes))} KiB with the dynamic ones (${shareOf({ dynamic: stateKibibytes, plugin: plugin.stateKibibytes })}).`;
  return [
    `The same ${figure(count)} ${count === 1 ? "role" : "roles"} with native classes: one stack, on a server of its own, each step right after the same step of the dynamic classes. Its changes and its end are not measured.`,
    table(
      ["operation", "dynamic, s", "plugin, s", "plugin / dynamic", "dynamic, peak MiB", "plugin, peak MiB", "ratio"],
      rows,
    ),
    state,
  ];
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
