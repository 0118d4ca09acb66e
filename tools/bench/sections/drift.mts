import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository } from "../../steps/repository.mjs";
import { runTool } from "../../steps/run-tool.mjs";
import { type BenchStack, openBenchStack } from "../bench-program.mts";
import { type BenchServer, withServer } from "../bench-server.mts";
import { type Cell, summaryCells, summaryHeader, table } from "../markdown.mts";
import { workerFile } from "../run-worker.mts";
import { sampleRoles } from "../sample-resources.mts";
import type { BenchContext, Findings, Section } from "../section.mts";
import { summaryOf } from "../statistics.mts";

const runs = 5;
const refreshRuns = 3;
/** How many times the large stack's roles the largest state has. */
const factor = 10;
const previewRefresh = ["refresh", "--preview-only", "--expect-no-changes"];
/** Requests at once while records are made that nobody measures. */
const width = 16;

interface Run {
  readonly seconds: number;
  readonly mebibytes: number;
}

export const drift: Section = {
  name: "drift",
  title: "Drift detection",
  measure: (context) =>
    withServer(async (server) => {
      const stack = await openBenchStack({ roles: sampleRoles(context.roles) }, server.env);
      try {
        await context.step(`${context.roles} roles: up`, () => stack.run(["up", "--yes", "--skip-preview"]));
        return await compared(context, server, stack);
      } finally {
        await stack.sandbox.close();
      }
    }),
};

async function compared(context: BenchContext, server: BenchServer, stack: BenchStack): Promise<Findings> {
  const { roles, folder, step } = context;
  const state = await stack.sandbox.export();
  const files = [join(folder, "drift-state.json"), join(folder, "drift-large.json")] as const;
  writeFileSync(files[0], JSON.stringify(state));
  const large = await step(`${factor * roles} roles: records and state`, () =>
    multiplied(server, state, factor * roles),
  );
  writeFileSync(files[1], JSON.stringify(large));

  const byFile = await step("drift, the state in a file", () =>
    repeated(runs, () => run(context, stack, ["--state", files[0]])),
  );
  const byStack = await step("drift, with pulumi stack export", () => repeated(runs, () => run(context, stack, [])));
  const refreshes = await step("pulumi refresh --preview-only", () =>
    repeated(refreshRuns, () => stack.run(previewRefresh)),
  );
  const larger = await step(`drift, ${factor * roles} roles`, () =>
    repeated(refreshRuns, () => run(context, stack, ["--state", files[1]])),
  );

  const row = (what: string, of: readonly Run[], count: number): Cell[] => [
    what,
    count,
    of.length,
    ...summaryCells(summaryOf(of.map(({ seconds }) => seconds))),
    Math.max(...of.map(({ mebibytes }) => mebibytes)),
  ];
  const refresh: Cell[] = [
    `pulumi ${previewRefresh.slice(0, 2).join(" ")}`,
    roles,
    refreshes.length,
    ...summaryCells(summaryOf(refreshes)),
    undefined,
  ];
  const share = summaryOf(byStack.map(({ seconds }) => seconds)).median / summaryOf(refreshes).median;
  const text = [
    "Wall seconds of the whole command, start-up included, on a stack in which nothing differs; the embedded server is a process " +
      "of its own. Peak memory is the highest resident memory of the command, without the Pulumi CLI that it starts.",
    "",
    table(
      ["", "roles", "runs", ...summaryHeader.map((word) => `s, ${word}`), "peak MiB"],
      [
        row("trustplane drift --state FILE", byFile, roles),
        row("trustplane drift (runs pulumi stack export)", byStack, roles),
        refresh,
        row("trustplane drift --state FILE", larger, factor * roles),
      ],
    ),
    "",
    `With the export it takes ${Math.round(100 * share)} % of the time of the refresh.`,
  ].join("\n");
  return { text, goals: [] };
}

/** Runs the built command; anything but "no drift" is no figure. */
async function run({ folder }: BenchContext, { sandbox }: BenchStack, flags: readonly string[]): Promise<Run> {
  const peakFile = join(folder, "drift-peak");
  const command = join(repository, "dist", "cli", "trustplane.js");
  const startedAt = performance.now();
  await runTool(process.execPath, ["--require", workerFile("peak-memory.cjs"), command, "drift", ...flags], {
    cwd: sandbox.programFolder,
    env: {
      ...sandbox.env,
      PATH: `${dirname(sandbox.command)}:${sandbox.env["PATH"] ?? ""}`,
      PEAK_MEMORY_FILE: peakFile,
    },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, mebibytes: Number(readFileSync(peakFile, "utf8")) / 1024 };
}

async function repeated<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < times; index += 1) results.push(await work());
  return results;
}

type State = Awaited<ReturnType<BenchStack["sandbox"]["export"]>>;

/** The first role of a stack again and again, on the server and in its state. */
async function multiplied({ secrets }: BenchServer, state: State, count: number): Promise<State> {
  const { resources = [] } = state.deployment;
  const role = resources.find(({ type }) => type.endsWith("jwt:Role"));
  if (!role) throw new Error("the stack has no role");
  const headers = { "x-vault-token": secrets.token };
  const at = (name: string) => `${secrets.address}/v1/${role.id?.replace(/[^/]+$/, name)}`;
  const own = String(role.inputs?.["name"]);
  const index = own.replace(/\D/g, "");
  const answer = await fetch(at(own), { headers });
  // The embedded server of this very build answers.
  const { data } = (await answer.json()) as { data: unknown };
  const renamed = (value: unknown, number: number) =>
    JSON.stringify(value)
      .replaceAll(`role-${index}`, `role-${number}`)
      .replaceAll(`service-${index}`, `service-${number}`);
  const numbers = Array.from({ length: count }, (_, number) => number);
  const queue = numbers.values();
  const lane = async () => {
    for (const number of queue) {
      const written = await fetch(at(`role-${number}`), { method: "POST", headers, body: renamed(data, number) });
      if (!written.ok) throw new Error(`writing role-${number}: ${written.status} ${await written.text()}`);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  const others = resources.filter(({ type }) => !type.endsWith("jwt:Role"));
  const roles = numbers.map((number) => JSON.parse(renamed(role, number)));
  return { ...state, deployment: { ...state.deployment, resources: [...others, ...roles] } };
}
