import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { descendantsOf } from "../../steps/descendants.mjs";
import { repository } from "../../steps/repository.mjs";
import { runTool } from "../../steps/run-tool.mjs";
import { type BenchStack, commands, openBenchStack, stateBytes } from "../bench-program.mts";
import { withServer } from "../bench-server.mts";
import { benchVault } from "../bench-vault.mts";
import { type Cell, figure, table } from "../markdown.mts";
import { embedded, type Sample, sampleCells, sampled, sampleHeader, type Target } from "../operation-sample.mts";
import { openPeer, peerOperations } from "../peer.mts";
import { sampleRoleSet } from "../sample-resources.mts";
import type { BenchContext, Section } from "../section.mts";
import { summaryOf } from "../statistics.mts";

const repetitions = 3;
const operations = ["up", "preview", "change all", "change one", "refresh", "drift", "destroy"] as const;
type Operation = (typeof operations)[number];

type Samples = Readonly<Partial<Record<Operation, Sample>>>;
interface Life {
  readonly samples: Samples;
  readonly stateBytes: number;
}

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
    const header = ["server", "roles", "operation", ...sampleHeader];
    const text = [
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
    return { text, goals: [] };
  },
};

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
  const peer = openPeer(context, { section: "sets", roles: count, env: target.env });
  const samples: (readonly [Operation, Sample])[] = [];
  for (const operation of peerOperations.sets) {
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

async function repeated<T>(work: (run: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let run = 1; run <= repetitions; run += 1) results.push(await work(run));
  return results;
}

function rowsOf(server: string, count: number, lives: readonly Samples[]): Cell[][] {
  return operations.flatMap((operation) => {
    const samples = lives.flatMap((life) => life[operation] ?? []);
    if (samples.length === 0) return [];
    const row = [server, count, operation, ...sampleCells(samples)];
    return [row];
  });
}
