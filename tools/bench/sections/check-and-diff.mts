import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchServer, withServer } from "../bench-server.mts";
import { createUnchanged, type EncodedCalls, encodedCalls, idleProvider, withHost } from "../dynamic-calls.mts";
import { type DynamicHost, prepareProgram } from "../dynamic-host.mts";
import { figure, summaryCells, summaryHeader, table } from "../markdown.mts";
import { processorMilliseconds } from "../processor-time.mts";
import { milliseconds, millisecondsPerItem } from "../rounds.mts";
import { runWorker } from "../run-worker.mts";
import type { BenchContext, Section } from "../section.mts";
import { type Summary, summaryOf } from "../statistics.mts";

const targetMs = 1;
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

interface Figures {
  readonly first: Summary;
  readonly sequential: Figure;
  readonly parallel: Figure;
  /** A provider that does nothing, in the same host. */
  readonly idle: Figure;
  readonly idleParallel: Figure;
  /** Two calls without content. */
  readonly empty: Figure;
}

interface InProcess {
  readonly first: number[];
  readonly sequential: number[];
  readonly parallel: number[];
}

export const checkAndDiff: Section = {
  name: "check-diff",
  title: "Check and diff of a resource through the dynamic host",
  measure: (context) => withServer((server) => measure(context, server)),
};

async function measure(context: BenchContext, server: BenchServer): Promise<string> {
  const folder = join(context.folder, "check-diff");
  mkdirSync(folder, { recursive: true });
  const { programFolder, provider } = await prepareProgram(folder);
  const resources = await withHost(programFolder, server, (host) => createUnchanged(host, context.roles, provider));
  const calls = resources.map((resource) => encodedCalls(resource));
  const idle = resources.map((resource) => encodedCalls(resource, idleProvider(provider)));
  const hosted = await context.step(`check and diff of ${calls.length} roles over gRPC`, () =>
    withHost(programFolder, server, (host) => measureHost(host, calls, idle)),
  );
  const file = join(folder, "resources.json");
  writeFileSync(file, JSON.stringify({ rounds, parallel, firstResources, resources }));
  const inProcess = await context.step("the same without gRPC", () =>
    runWorker<InProcess>("in-process.cjs", { args: [file], cwd: programFolder, env: server.env }),
  );
  return report(calls.length, hosted, inProcess);
}

async function measureHost(
  host: DynamicHost,
  calls: readonly EncodedCalls[],
  idle: readonly EncodedCalls[],
): Promise<Figures> {
  const checkThenDiff = async ({ check, diff }: EncodedCalls) => {
    await host.call("Check", check);
    await host.call("Diff", diff);
  };
  const nothing = new Uint8Array();
  const emptyCalls = async () => {
    await host.call("GetPluginInfo", nothing);
    await host.call("GetPluginInfo", nothing);
  };
  // The first Check loads what is loaded late, and asks the server for its version: "Start of the provider" has that.
  for (const { check } of calls.slice(0, 1)) await host.call("Check", check);
  const first: number[] = [];
  for (const call of calls.slice(0, firstResources)) first.push(await milliseconds(() => checkThenDiff(call)));
  // Taken in turns, so that a moment in which the machine is busy does not fall on one of them alone.
  const [sequential, inParallel, idleOnes, idleParallel, empty] = await inTurns(host, calls.length, [
    () => millisecondsPerItem(calls, 1, checkThenDiff),
    () => millisecondsPerItem(calls, parallel, checkThenDiff),
    () => millisecondsPerItem(idle, 1, checkThenDiff),
    () => millisecondsPerItem(idle, parallel, checkThenDiff),
    () => millisecondsPerItem(calls, 1, emptyCalls),
  ]);
  return { first: summaryOf(first), sequential, parallel: inParallel, idle: idleOnes, idleParallel, empty };
}

type Five<T> = [T, T, T, T, T];

async function inTurns(host: DynamicHost, count: number, ways: Five<() => Promise<number>>): Promise<Five<Figure>> {
  const samples = ways.map(() => ({ wall: [] as number[], processor: [] as (number | undefined)[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, way] of ways.entries()) {
      const before = processorMilliseconds(host.pid);
      samples[index]?.wall.push(await way());
      const after = processorMilliseconds(host.pid);
      samples[index]?.processor.push(
        before === undefined || after === undefined ? undefined : (after - before) / count,
      );
    }
  }
  const figures = samples.map(({ wall, processor }) => ({ wall: summaryOf(wall), processor: meanOf(processor) }));
  // One for each of the five ways.
  return figures as Five<Figure>;
}

function meanOf(samples: readonly (number | undefined)[]): number | undefined {
  const known = samples.filter((sample) => sample !== undefined);
  return known.length < samples.length ? undefined : known.reduce((sum, sample) => sum + sample, 0) / known.length;
}

function report(count: number, hosted: Figures, samples: InProcess): string {
  const own = summaryOf(samples.sequential);
  const first = `each of the first ${Math.min(count, firstResources)} of a new process`;
  const row = (what: string, wall: Summary, processor?: number) => [what, ...summaryCells(wall), processor];
  const hostRow = (what: string, { wall, processor }: Figure) => row(what, wall, processor);
  return [
    `Milliseconds per resource, one Check and one Diff that finds nothing to do; ${count} roles, ${rounds} rounds, requests ` +
      "encoded beforehand. The host is the real `@pulumi/pulumi/cmd/dynamic-provider` in a program's folder with the packed package.",
    "",
    table(
      ["ms per resource", ...summaryHeader, "CPU of the host"],
      [
        hostRow("dynamic host, one after the other", hosted.sequential),
        hostRow(`dynamic host, ${parallel} in parallel (wall time / resources)`, hosted.parallel),
        row(`dynamic host, ${first}`, hosted.first),
        row("in process, one after the other", own),
        row(`in process, ${parallel} in parallel`, summaryOf(samples.parallel)),
        row(`in process, ${first}`, summaryOf(samples.first)),
        hostRow("the same host and messages, a provider that does nothing, one after the other", hosted.idle),
        hostRow(
          `the same host and messages, a provider that does nothing, ${parallel} in parallel`,
          hosted.idleParallel,
        ),
        hostRow("two empty calls of the same host (`GetPluginInfo`)", hosted.empty),
      ],
    ),
    "",
    verdict(hosted),
    "",
    breakdown(hosted, own),
  ].join("\n");
}

function verdict({ sequential, parallel: inParallel, first }: Figures): string {
  const judged = (what: string, { median }: Summary) =>
    `${what} ${figure(median)} ms, ${median <= targetMs ? "met" : `**missed by a factor of ${figure(median / targetMs)}**`}`;
  const [one, many] = [judged("one after the other", sequential.wall), judged("in parallel", inParallel.wall)];
  return `Target: at most ${targetMs} ms of wall time (medians): ${one}; ${many}; ${judged("in a new process", first)}.`;
}

/** In processor time where it is known, which other work on the machine moves less than the wall time. */
function breakdown({ sequential, idle, empty }: Figures, own: Summary): string {
  const isKnown = [sequential, idle, empty].every(({ processor }) => processor !== undefined);
  const of = ({ wall, processor }: Figure) => (isKnown ? (processor ?? 0) : wall.median);
  const [whole, floor, wire] = [of(sequential), of(idle), of(empty)];
  const share = (part: number) => `${figure(part)} ms (${Math.round((100 * part) / whole)} %)`;
  return (
    `Where the ${figure(whole)} ms ${isKnown ? "of processor time" : "(median)"} of the first row go: ${share(wire)} are two gRPC calls with nothing in ` +
    `them, ${share(floor - wire)} the host's conversion of the messages, and ${share(whole - floor)} what trustplane adds in that host ` +
    `(in process, in wall time, it is ${figure(own.median)} ms). With a provider that does nothing the same host takes ` +
    `${figure(idle.wall.median)} ms of wall time${idle.wall.median > targetMs ? ", so on this machine at this load the target is missed before trustplane has done anything" : ""}.`
  );
}
