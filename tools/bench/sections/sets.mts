import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { descendantsOf } from "../../steps/descendants.mjs";
import { repository } from "../../steps/repository.mjs";
import { runTool } from "../../steps/run-tool.mjs";
import { type BenchStack, commands, openBenchStack, stateBytes } from "../bench-program.mts";
import { type BenchServer, withServer } from "../bench-server.mts";
import { benchVault } from "../bench-vault.mts";
import { type Cell, figure, table } from "../markdown.mts";
import { sampleMemory } from "../memory-sampler.mts";
import { openPeer, peerOperations } from "../peer.mts";
import { endedChildrenSeconds } from "../processor-time.mts";
import { sampleRoleSet } from "../sample-resources.mts";
import type { BenchContext, Section } from "../section.mts";
import { summaryOf } from "../statistics.mts";

const repetitions = 3;
const operations = ["up", "preview", "change all", "change one", "refresh", "drift", "destroy"] as const;
type Operation = (typeof operations)[number];

/** One operation, as it was measured once. */
interface Sample {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly pluginMebibytes: number;
  readonly allMebibytes: number;
  /** Undefined where nobody counts them. */
  readonly requests: number | undefined;
}

type Samples = Readonly<Partial<Record<Operation, Sample>>>;
interface Life {
  readonly samples: Samples;
  readonly stateBytes: number;
}

/** Where a set's records go. */
interface Target {
  readonly env: Readonly<Record<string, string>>;
  readonly pids: readonly number[];
  countRequests(): Promise<number | undefined>;
}

/** The server's log may have dropped older ones when it holds as many. */
const LOGGED_REQUESTS = 5_000;

/** Does the work on a server: a new one each time, or always the same. */
type On = <T>(work: (target: Target) => Promise<T>) => Promise<T>;

export const sets: Section = {
  name: "sets",
  title: "Sets: many roles as one resource",
  async measure(context) {
    const sizes = [...new Set([1, 100, context.roles, 10 * context.roles])].filter(
      (size) => size <= 10 * context.roles,
    );
    const rows: Cell[][] = [];
    const states: string[] = [];
    const note = async (server: string, count: number, on: On) => {
      const lives = await repeated((run) => on((target) => live(context, count, run, target)));
      const samples = lives.map((life) => life.samples);
      rows.push(...rowsOf(server, count, samples));
      const bytes = summaryOf(lives.map((life) => life.stateBytes)).median / count;
      states.push(`${figure(Math.round(bytes))} with ${figure(count)} (${server})`);
      if (context.peer === undefined) return;
      const peers = await repeated((run) => on((target) => peerLife(context, count, run, target)));
      rows.push(...rowsOf(`${server}, peer`, count, peers));
    };
    for (const count of sizes) await note("embedded", count, (work) => withServer((server) => work(embedded(server))));
    const vault = await benchVault();
    const { running } = vault;
    if (running) {
      const env = { VAULT_ADDR: running.address, VAULT_TOKEN: running.token };
      const target: Target = { env, pids: descendantsOf(process.pid), countRequests: async () => undefined };
      try {
        await note("Vault 1.21", context.roles, (work) => work(target));
      } finally {
        await running.close();
      }
    }
    const header = [
      "server",
      "roles",
      "operation",
      "s, min",
      "s, median",
      "s, max",
      "CPU s",
      "plugin MiB",
      "all MiB",
      "requests",
    ];
    return [
      "One `jwt.RoleSet` with native classes and the real CLI; no step shows a preview first. Each role has claims of its own, and " +
        `defaults for the rest. Seconds of ${repetitions} lives; the other columns are the medians of CLI, program and plugin together, ` +
        "without the server.",
      "",
      table(header, rows),
      "",
      `State, bytes a role: ${states.join(", ")}.`,
      ...(context.peer === undefined ? [] : ["", `Rows of a peer are those of the command \`${context.peer}\`.`]),
      ...(vault.missing ? ["", vault.missing] : []),
    ].join("\n");
  },
};

function embedded(server: BenchServer): Target {
  return {
    env: server.env,
    pids: [server.pid],
    async countRequests() {
      const { length } = await server.takeRequests();
      return length < LOGGED_REQUESTS ? length : undefined;
    },
  };
}

async function live(context: BenchContext, count: number, run: number, target: Target): Promise<Life> {
  const stack = await openBenchStack({ roles: [], roleSet: sampleRoleSet(count) }, target.env, "plugin");
  const declare = (options: Parameters<typeof sampleRoleSet>[1]) =>
    stack.declare({ roles: [], roleSet: sampleRoleSet(count, options) });
  const measured = async (operation: Operation, work: () => Promise<unknown>) =>
    [operation, await context.step(`set of ${count}, run ${run}: ${operation}`, () => sampled(target, work))] as const;
  try {
    const up = await measured("up", () => stack.run(commands.up));
    const bytes = stateBytes(stack);
    const preview = await measured("preview", () => stack.run(commands.preview));
    const refresh = await measured("refresh", () => stack.run(commands.refresh));
    const file = join(context.folder, "set-state.json");
    writeFileSync(file, JSON.stringify(await stack.sandbox.export()));
    const drift = await measured("drift", () => detectDrift(stack, file));
    declare({ revision: 1 });
    const all = await measured("change all", () => stack.run(commands.up));
    declare({ revision: 1, changed: 1 });
    const one = await measured("change one", () => stack.run(commands.up));
    const destroy = await measured("destroy", () => stack.run(commands.destroy));
    const samples = Object.fromEntries([up, preview, refresh, drift, all, one, destroy]);
    return { samples, stateBytes: bytes };
  } finally {
    await stack.sandbox.close();
  }
}

/** The same life with the program of `--peer`. */
async function peerLife(context: BenchContext, count: number, run: number, target: Target): Promise<Samples> {
  const peer = openPeer(context, count, target.env);
  const samples: (readonly [Operation, Sample])[] = [];
  for (const operation of peerOperations) {
    const title = `peer, ${count} roles, run ${run}: ${operation}`;
    samples.push([operation, await context.step(title, () => sampled(target, () => peer.run(operation)))]);
  }
  return Object.fromEntries(samples);
}

function detectDrift({ sandbox }: BenchStack, state: string): Promise<unknown> {
  const command = join(repository, "dist", "cli", "trustplane.js");
  return runTool(process.execPath, [command, "drift", "--state", state], {
    cwd: sandbox.programFolder,
    env: { ...sandbox.env },
  });
}

async function sampled(target: Target, work: () => Promise<unknown>): Promise<Sample> {
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

async function repeated<T>(work: (run: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let run = 1; run <= repetitions; run += 1) results.push(await work(run));
  return results;
}

function rowsOf(server: string, count: number, lives: readonly Samples[]): Cell[][] {
  return operations.flatMap((operation) => {
    const samples = lives.flatMap((life) => life[operation] ?? []);
    if (samples.length === 0) return [];
    const median = (of: (sample: Sample) => number) => summaryOf(samples.map(of)).median;
    const { min, median: middle, max } = summaryOf(samples.map(({ seconds }) => seconds));
    const requests = samples[0]?.requests;
    const row = [
      ...[server, count, operation, min, middle, max, median(({ processorSeconds }) => processorSeconds)],
      Math.round(median(({ pluginMebibytes }) => pluginMebibytes)) || undefined,
      Math.round(median(({ allMebibytes }) => allMebibytes)),
      requests,
    ];
    return [row];
  });
}
