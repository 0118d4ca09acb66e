import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchServer, withServer } from "../bench-server.mts";
import { atMost, type Goal } from "../goal.mts";
import { type HostName, shareOf } from "../hosts.mts";
import { figure, summaryCells, summaryHeader, table } from "../markdown.mts";
import { residentMebibytes } from "../memory-sampler.mts";
import { processorMilliseconds } from "../processor-time.mts";
import { createUnchanged, type EncodedCalls, encodedCalls, idleProvider, withHost } from "../provider-calls.mts";
import { type ProviderHost, prepareProgram } from "../provider-host.mts";
import { milliseconds, millisecondsPerItem } from "../rounds.mts";
import { runWorker } from "../run-worker.mts";
import type { BenchContext, Findings, Section } from "../section.mts";
import { type Summary, summaryOf } from "../statistics.mts";

const targetMs = 1;
/** Of the plugin, with 1,000 resources. */
const targetMebibytes = 120;
const rounds = 7;
const parallel = 16;
/** A program that is run once has code that no compiler has optimised yet. */
const firstResources = 50;

/** Milliseconds per resource. */
interface Figure {
  readonly wall: Summary;
  /** Of the host's process, mean of all rounds; undefined where it cannot be known. */
  readonly processor: number | undefined;
}

/** What is measured of either host. */
interface HostFigures {
  readonly first: Summary;
  readonly sequential: Figure;
  readonly parallel: Figure;
  /** Two calls without content. */
  readonly empty: Figure;
}

interface Figures {
  readonly dynamic: HostFigures;
  readonly plugin: HostFigures;
  /** A provider that does nothing, in the dynamic host. */
  readonly idle: Figure;
  readonly idleParallel: Figure;
}

/** Resident memory of each host's process at its highest, in MiB; 0 where it cannot be known. */
type Peaks = Readonly<Record<HostName, number>>;

interface InProcess {
  readonly first: number[];
  readonly sequential: number[];
  readonly parallel: number[];
}

export const checkAndDiff: Section = {
  name: "check-diff",
  title: "Check and diff of a resource through the dynamic host and the plugin",
  measure: (context) => withServer((server) => measure(context, server)),
};

async function measure(context: BenchContext, server: BenchServer): Promise<Findings> {
  const folder = join(context.folder, "check-diff");
  mkdirSync(folder, { recursive: true });
  const { programFolder, provider } = await prepareProgram(folder);
  const made = (name: HostName, text?: string) =>
    withHost(name, programFolder, server, async (host) => {
      const resources = await createUnchanged(host, context.roles, text);
      return { resources, peakMebibytes: residentMebibytes(host.pid, "VmHWM") };
    });
  const { resources, ...dynamicMemory } = await made("dynamic", provider);
  const { resources: native, ...pluginMemory } = await made("plugin");
  const calls = {
    dynamic: resources.map((resource) => encodedCalls(resource)),
    plugin: native.map((resource) => encodedCalls(resource)),
    idle: resources.map((resource) => encodedCalls(resource, idleProvider(provider))),
  };
  const hosted = await context.step(`check and diff of ${resources.length} roles over gRPC`, () =>
    withHost("dynamic", programFolder, server, (dynamic) =>
      withHost("plugin", programFolder, server, (plugin) => measureHosts({ dynamic, plugin }, calls)),
    ),
  );
  const file = join(folder, "resources.json");
  writeFileSync(file, JSON.stringify({ rounds, parallel, firstResources, resources }));
  const inProcess = await context.step("the same without gRPC", () =>
    runWorker<InProcess>("in-process.cjs", { args: [file], cwd: programFolder, env: server.env }),
  );
  const peaks = { dynamic: dynamicMemory.peakMebibytes, plugin: pluginMemory.peakMebibytes };
  return {
    text: report(resources.length, hosted, peaks, inProcess),
    goals: [
      ...timeGoals("dynamic host", hosted.dynamic),
      ...timeGoals("plugin", hosted.plugin),
      atMost({
        what: `memory of the plugin for Check, Create and Diff of ${figure(resources.length)} roles`,
        ...{ most: targetMebibytes, value: peaks.plugin || undefined, unit: "MiB" },
      }),
    ],
  };
}

async function measureHosts(
  { dynamic, plugin }: { readonly dynamic: ProviderHost; readonly plugin: ProviderHost },
  calls: Readonly<Record<"dynamic" | "plugin" | "idle", readonly EncodedCalls[]>>,
): Promise<Figures> {
  const first = { dynamic: await firstOnes(dynamic, calls.dynamic), plugin: await firstOnes(plugin, calls.plugin) };
  const pairs = (host: ProviderHost, which: readonly EncodedCalls[], width: number) => ({
    host,
    pass: () => millisecondsPerItem(which, width, (each) => checkThenDiff(host, each)),
  });
  const nothing = (host: ProviderHost) => ({
    host,
    pass: () => millisecondsPerItem(calls.dynamic, 1, () => emptyCalls(host)),
  });
  // Taken in turns, so that a moment in which the machine is busy does not fall on one of them alone.
  const figures = await inTurns(calls.dynamic.length, {
    dynamic: pairs(dynamic, calls.dynamic, 1),
    plugin: pairs(plugin, calls.plugin, 1),
    dynamicParallel: pairs(dynamic, calls.dynamic, parallel),
    pluginParallel: pairs(plugin, calls.plugin, parallel),
    idle: pairs(dynamic, calls.idle, 1),
    idleParallel: pairs(dynamic, calls.idle, parallel),
    dynamicEmpty: nothing(dynamic),
    pluginEmpty: nothing(plugin),
  });
  return {
    dynamic: {
      first: first.dynamic,
      sequential: figures.dynamic,
      parallel: figures.dynamicParallel,
      empty: figures.dynamicEmpty,
    },
    plugin: {
      first: first.plugin,
      sequential: figures.plugin,
      parallel: figures.pluginParallel,
      empty: figures.pluginEmpty,
    },
    idle: figures.idle,
    idleParallel: figures.idleParallel,
  };
}

async function firstOnes(host: ProviderHost, calls: readonly EncodedCalls[]): Promise<Summary> {
  // The first Check loads what is loaded late, and asks the server for its version: "Start of the provider" has that.
  for (const { check } of calls.slice(0, 1)) await host.call("Check", check);
  const first: number[] = [];
  for (const call of calls.slice(0, firstResources)) first.push(await milliseconds(() => checkThenDiff(host, call)));
  return summaryOf(first);
}

async function checkThenDiff(host: ProviderHost, { check, diff }: EncodedCalls): Promise<void> {
  await host.call("Check", check);
  await host.call("Diff", diff);
}

async function emptyCalls(host: ProviderHost): Promise<void> {
  await host.call("GetPluginInfo", new Uint8Array());
  await host.call("GetPluginInfo", new Uint8Array());
}

/** One way of calling a host: a pass over all resources answers milliseconds per resource. */
interface Way {
  readonly host: ProviderHost;
  pass(): Promise<number>;
}

async function inTurns<Name extends string>(
  count: number,
  ways: Readonly<Record<Name, Way>>,
): Promise<Readonly<Record<Name, Figure>>> {
  const all = Object.entries<Way>(ways).map(([name, way]) => ({
    ...{ name, way },
    ...{ wall: [] as number[], processor: [] as (number | undefined)[] },
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { way, wall, processor } of all) {
      const before = processorMilliseconds(way.host.pid);
      wall.push(await way.pass());
      const after = processorMilliseconds(way.host.pid);
      processor.push(before === undefined || after === undefined ? undefined : (after - before) / count);
    }
  }
  const figures = all.map(({ name, wall, processor }) => [
    name,
    { wall: summaryOf(wall), processor: meanOf(processor) },
  ]);
  // One for each of the ways.
  return Object.fromEntries(figures) as Record<Name, Figure>;
}

function meanOf(samples: readonly (number | undefined)[]): number | undefined {
  const known = samples.filter((sample) => sample !== undefined);
  return known.length < samples.length ? undefined : known.reduce((sum, sample) => sum + sample, 0) / known.length;
}

function report(count: number, hosted: Figures, peaks: Peaks, samples: InProcess): string {
  const { dynamic, plugin, idle, idleParallel } = hosted;
  const own = summaryOf(samples.sequential);
  const first = `each of the first ${Math.min(count, firstResources)} of a new process`;
  const row = (what: string, wall: Summary, processor?: number) => [what, ...summaryCells(wall), processor];
  const hostRow = (what: string, { wall, processor }: Figure) => row(what, wall, processor);
  return [
    `Milliseconds per resource, one Check and one Diff that finds nothing to do; ${count} roles, ${rounds} rounds in turns, requests ` +
      "encoded beforehand. The dynamic host is the real `@pulumi/pulumi/cmd/dynamic-provider`, the plugin the package's " +
      "`pulumi-resource-trustplane`, both in a program's folder with the packed package.",
    "",
    table(
      ["ms per resource", ...summaryHeader, "CPU of the host"],
      [
        hostRow("dynamic host, one after the other", dynamic.sequential),
        hostRow("plugin, one after the other", plugin.sequential),
        hostRow(`dynamic host, ${parallel} in parallel (wall time / resources)`, dynamic.parallel),
        hostRow(`plugin, ${parallel} in parallel`, plugin.parallel),
        row(`dynamic host, ${first}`, dynamic.first),
        row(`plugin, ${first}`, plugin.first),
        row("in process, one after the other", own),
        row(`in process, ${parallel} in parallel`, summaryOf(samples.parallel)),
        row(`in process, ${first}`, summaryOf(samples.first)),
        hostRow("the dynamic host and its messages, a provider that does nothing, one after the other", idle),
        hostRow(
          `the dynamic host and its messages, a provider that does nothing, ${parallel} in parallel`,
          idleParallel,
        ),
        hostRow("two empty calls of the dynamic host (`GetPluginInfo`)", dynamic.empty),
        hostRow("two empty calls of the plugin", plugin.empty),
      ],
    ),
    "",
    comparison(hosted),
    "",
    memoryText(count, peaks),
    "",
    breakdown(hosted, own),
  ].join("\n");
}

function comparison({ dynamic, plugin }: Figures): string {
  const share = (of: (host: HostFigures) => number) => shareOf({ dynamic: of(dynamic), plugin: of(plugin) });
  const time = `${share(({ sequential }) => sequential.wall.median)} of its wall time one after the other, ${share((host) => host.parallel.wall.median)} in parallel, ${share(({ first }) => first.median)} in a new process`;
  return `The plugin beside the dynamic host (medians): ${time}.`;
}

function memoryText(count: number, peaks: Peaks): string {
  if (peaks.dynamic === 0 || peaks.plugin === 0)
    return "How much memory the hosts took cannot be known on this system.";
  const { dynamic, plugin } = { dynamic: figure(Math.round(peaks.dynamic)), plugin: figure(Math.round(peaks.plugin)) };
  return `For Check, Create and Diff of ${figure(count)} roles the plugin's process held ${plugin} MiB at most, that of the dynamic host ${dynamic} MiB (${shareOf(peaks)}).`;
}

function timeGoals(host: string, { sequential, parallel: inParallel, first }: HostFigures): Goal[] {
  const goal = (how: string, { median }: Summary) =>
    atMost({ what: `Check and Diff of a role, ${host}, ${how}`, most: targetMs, value: median, unit: "ms" });
  return [
    goal("one after the other", sequential.wall),
    goal("in parallel", inParallel.wall),
    goal("in a new process", first),
  ];
}

/** In processor time where it is known, which other work on the machine moves less than the wall time. */
function breakdown({ dynamic: { sequential, empty }, idle }: Figures, own: Summary): string {
  const isKnown = [sequential, idle, empty].every(({ processor }) => processor !== undefined);
  const of = ({ wall, processor }: Figure) => (isKnown ? (processor ?? 0) : wall.median);
  const [whole, floor, wire] = [of(sequential), of(idle), of(empty)];
  const share = (part: number) => `${figure(part)} ms (${Math.round((100 * part) / whole)} %)`;
  return (
    `Where the ${figure(whole)} ms ${isKnown ? "of processor time" : "(median)"} of the first row go: ${share(wire)} are two gRPC calls with nothing in ` +
    `them, ${share(floor - wire)} the host's conversion of the messages, and ${share(whole - floor)} what trustplane adds in that host ` +
    `(in process, in wall time, it is ${figure(own.median)} ms). With a provider that does nothing the same host takes ` +
    `${figure(idle.wall.median)} ms of wall time${idle.wall.median > targetMs ? `, which alone is over the goal of ${figure(targetMs)} ms` : ""}.`
  );
}
