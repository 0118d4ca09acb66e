import { createRequire } from "node:module";
import { join } from "node:path";
import { repository } from "../../steps/repository.mjs";
import { StepError } from "../../steps/step-error.mjs";
import { terraformCli } from "../../terraform/terraform-cli.mts";
import { withServer } from "../bench-server.mts";
import { atMost, type Goal } from "../goal.mts";
import { type Cell, figure, summaryCells, summaryHeader, table } from "../markdown.mts";
import { embedded, type Sample, sampleCells, sampled, sampleHeader, type Target } from "../operation-sample.mts";
import { openPeer } from "../peer.mts";
import { startServing } from "../run-worker.mts";
import type { BenchContext, Section } from "../section.mts";
import { type Summary, summaryOf } from "../statistics.mts";
import { openTerraformProgram, type TerraformShape } from "../terraform-program.mts";

const starts = 9;
const lives = 3;
const operations = ["plan", "apply", "no-op plan", "change all", "destroy"] as const;
type Operation = (typeof operations)[number];
type Samples = Readonly<Record<Operation, Sample>>;

/** The targets: seconds of an operation, by shape and number of roles. */
const secondsAllowed: readonly {
  readonly shape: TerraformShape;
  readonly roles: number;
  readonly operation: Operation;
  readonly seconds: number;
}[] = [
  { shape: "roles", roles: 1, operation: "plan", seconds: 0.35 },
  { shape: "set", roles: 1_000, operation: "plan", seconds: 1 },
  { shape: "set", roles: 1_000, operation: "apply", seconds: 2 },
];
const startAllowedMs = 70;
const memoryAllowedMebibytes = 110;
/** Of the peer's wall time. */
const shareAllowed = 1.05;

/** What has the roles: this provider, with a resource for each or one for all, or that of `--peer`. */
interface Measured {
  readonly what: "roles" | "set" | "peer";
  readonly count: number;
  readonly samples: readonly Samples[];
}

export const terraform: Section = {
  name: "terraform",
  title: "Terraform",
  async measure(context) {
    const { missing, version } = terraformCli();
    if (missing !== undefined) return { text: `Not measured: ${missing}.`, goals: [] };
    const start = await context.step(`${starts} starts of the provider for Terraform`, timeStarts);
    const sizes = [...new Set([1, 100, context.roles])].filter((size) => size <= context.roles);
    const reason = await reasonWithoutPeer(context);
    const measured: Measured[] = [];
    for (const count of sizes) measured.push(...(await sideBySide(context, count, reason === undefined)));
    measured.push({ what: "set", count: context.roles, samples: await repeated(context, "set", context.roles) });
    const beside = reason === undefined ? sharesOfPeer(measured) : [];
    const text = [
      `Wall seconds of Terraform ${version} with the embedded server in a process of its own, a state in a file and the CLI's own degree ` +
        `of parallelism; ${lives} lives each, in which an apply plans again. The other columns are medians: processor time and memory of CLI and ` +
        "provider, without the server, and the highest resident memory of one process of the provider. A set is one resource.",
      "",
      table(["provider", "roles", "operation", ...sampleHeader], measured.flatMap(rowsOf)),
      "",
      ...(reason === undefined ? comparison(context, beside) : [`Not compared with another provider: ${reason}.`]),
      "",
      "Milliseconds from the spawn of `bin/terraform-provider-trustplane` until its handshake; its files and its compiled code are in caches:",
      "",
      table(["", ...summaryHeader], [[`${starts} starts`, ...summaryCells(start)]]),
    ].join("\n");
    return { text, goals: [...ownGoals(start, measured), ...peerGoals(beside)] };
  },
};

/** Starts as Terraform does, with a certificate to encrypt for; the first one fills the caches. */
async function timeStarts(): Promise<Summary> {
  const { COOKIE } = built<{ COOKIE: string }>("handshake.js");
  const { ownCertificate } = built<{ ownCertificate(): { certificatePem: string } }>("certificate.js");
  const env = { TF_PLUGIN_MAGIC_COOKIE: COOKIE, PLUGIN_CLIENT_CERT: ownCertificate().certificatePem };
  const samples: number[] = [];
  for (let run = 0; run <= starts; run += 1) {
    const served = await startServing([join(repository, "bin/terraform-provider-trustplane")], { env });
    await served.stop();
    if (run > 0) samples.push(served.startMs);
  }
  return summaryOf(samples);
}

/** A part of the provider for Terraform, as it was built. */
function built<Module>(file: string): Module {
  return createRequire(import.meta.url)(join(repository, "dist/provider/hosts/terraform", file));
}

/** In turns, so that other work on the machine slows both. */
async function sideBySide(context: BenchContext, count: number, isCompared: boolean): Promise<Measured[]> {
  const [own, others]: [Samples[], Samples[]] = [[], []];
  for (let run = 1; run <= lives; run += 1) {
    own.push(await life(context, { what: "roles", count, run }));
    if (isCompared) others.push(await life(context, { what: "peer", count, run }));
  }
  return [
    { what: "roles", count, samples: own },
    ...(isCompared ? [{ what: "peer", count, samples: others } as const] : []),
  ];
}

async function repeated(context: BenchContext, what: TerraformShape, count: number): Promise<Samples[]> {
  const samples: Samples[] = [];
  for (let run = 1; run <= lives; run += 1) samples.push(await life(context, { what, count, run }));
  return samples;
}

/** A whole life on a server of its own. */
function life(context: BenchContext, { what, count, run }: Pick<Measured, "what" | "count"> & { run: number }) {
  return withServer(async (server) => {
    const target = embedded(server);
    const doing = what === "peer" ? await peerLife(context, count, target) : ownLife(context, { what, count, target });
    const samples: (readonly [Operation, Sample])[] = [];
    for (const operation of operations) {
      const title = `Terraform, ${names[what]} of ${count}, run ${run}: ${operation}`;
      samples.push([operation, await context.step(title, () => sampled(target, () => doing(operation)))]);
    }
    // Each operation was measured.
    return Object.fromEntries(samples) as Samples;
  });
}

type Doing = (operation: Operation) => Promise<unknown>;

function ownLife(
  { folder }: BenchContext,
  { what, count, target }: { what: TerraformShape; count: number; target: Target },
): Doing {
  const { run, change } = openTerraformProgram(folder, { shape: what, count, env: target.env });
  const work: Readonly<Record<Operation, () => Promise<unknown>>> = {
    plan: () => run("plan"),
    apply: () => run("apply", "-auto-approve"),
    // A plan that finds something to do ends with code 2.
    "no-op plan": () => run("plan", "-detailed-exitcode"),
    "change all": () => {
      change();
      return run("apply", "-auto-approve");
    },
    destroy: () => run("destroy", "-auto-approve"),
  };
  return (operation) => work[operation]();
}

async function peerLife(context: BenchContext, count: number, { env }: Target): Promise<Doing> {
  const peer = openPeer(context, { section: "terraform", roles: count, env });
  await peer.run("prepare");
  return (operation) => peer.run(operation);
}

/** Why there is nothing to compare with; undefined where there is. */
async function reasonWithoutPeer(context: BenchContext): Promise<string | undefined> {
  if (context.peer === undefined) return "`--peer` names no other provider";
  try {
    await withServer((server) => peerLife(context, 1, embedded(server)));
    return undefined;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return `the command of \`--peer\` cannot prepare it (${error.message})`;
  }
}

const names = { roles: "roles", set: "a set", peer: "peer" } as const;

function rowsOf({ what, count, samples }: Measured): Cell[][] {
  return operations.map((operation) => [
    names[what],
    count,
    operation,
    ...sampleCells(samples.map((life) => life[operation])),
  ]);
}

function median({ samples }: Measured, operation: Operation, of: (sample: Sample) => number): number {
  return summaryOf(samples.map((life) => of(life[operation]))).median;
}

interface PeerShares {
  readonly count: number;
  /** Of the peer's wall time, in the order of the operations. */
  readonly shares: readonly number[];
}

function sharesOfPeer(measured: readonly Measured[]): PeerShares[] {
  return measured
    .filter(({ what }) => what === "peer")
    .map((peer) => {
      const own = measured.find(({ what, count }) => what === "roles" && count === peer.count) ?? peer;
      const share = (operation: Operation) => median(own, operation, inSeconds) / median(peer, operation, inSeconds);
      return { count: peer.count, shares: operations.map(share) };
    });
}

/** The wall times beside those of the peer. */
function comparison({ peer }: BenchContext, beside: readonly PeerShares[]): string[] {
  return [
    `The peer is the command \`${peer}\`, measured in turns with this provider. This provider beside it, as a share of its wall time (medians):`,
    "",
    table(
      ["roles", ...operations],
      beside.map(({ count, shares }) => [count, ...shares]),
    ),
  ];
}

/** With the most roles. */
function peerGoals(beside: readonly PeerShares[]): Goal[] {
  const { count, shares } = beside.at(-1) ?? { count: 0, shares: [] };
  return shares.map((share, index) => {
    const [operation, isPlan] = [operations[index], index === 0];
    return {
      what: `Terraform, ${figure(count)} roles, ${operation}: wall time beside the peer's`,
      goal: isPlan ? "less than × 1" : `at most × ${shareAllowed}`,
      measured: `× ${figure(share)}`,
      met: (isPlan ? share < 1 : share <= shareAllowed) ? "yes" : "no",
    };
  });
}

function ownGoals(start: Summary, measured: readonly Measured[]): Goal[] {
  const own = measured.filter(({ what }) => what !== "peer");
  const memory = own.flatMap((each) => operations.map((operation) => median(each, operation, inMebibytes)));
  return [
    atMost({
      what: "from the start of the provider for Terraform until its handshake",
      ...{ most: startAllowedMs, value: start.median, unit: "ms" },
    }),
    ...secondsAllowed.flatMap(({ shape, roles, operation, seconds }) =>
      own
        .filter(({ what, count }) => what === shape && count === roles)
        .map((found) =>
          atMost({
            what: `Terraform, ${nameOf(shape, roles)}: ${operation}`,
            ...{ most: seconds, value: median(found, operation, inSeconds), unit: "s" },
          }),
        ),
    ),
    atMost({
      what: "memory of the provider for Terraform in any operation",
      // What has seen no process of the provider has measured 0.
      ...{ most: memoryAllowedMebibytes, value: Math.max(...memory) || undefined, unit: "MiB" },
    }),
  ];
}

function nameOf(shape: TerraformShape, roles: number): string {
  return shape === "set" ? `a set of ${figure(roles)} roles` : `${figure(roles)} ${roles === 1 ? "role" : "roles"}`;
}

const inSeconds = ({ seconds }: Sample) => seconds;
const inMebibytes = ({ pluginMebibytes }: Sample) => pluginMebibytes;
