import { tmpdir } from "node:os";
import { join } from "node:path";
import { withScratchFolder } from "../../steps/scratch-folder.mjs";
import { type BenchServer, startBenchServer, withServer } from "../bench-server.mts";
import { benchVault } from "../bench-vault.mts";
import { atMost, type Goal } from "../goal.mts";
import { figure, summaryCells, summaryHeader, table } from "../markdown.mts";
import { runWorker, startServing, workerFile } from "../run-worker.mts";
import type { BenchContext, Findings, Section } from "../section.mts";
import { summaryOf } from "../statistics.mts";
import type { Load, LoadResult } from "../workers/load.mts";

const starts = 7;
const targetStartMs = 500;
const rounds = 5;
const requestsPerRound = 4_000;
const connections = 8;
const roleCount = 100;

/** A role in the words of the API. */
const role = {
  role_type: "jwt",
  user_claim: "repository",
  bound_audiences: ["https://vault.example.com"],
  bound_claims: { repository: "acme/service", ref: ["refs/heads/main", "refs/tags/*"] },
  bound_claims_type: "glob",
  token_policies: ["deploy"],
  token_ttl: "10m",
};

export const embeddedServer: Section = {
  name: "server",
  title: "Embedded server",
  async measure(context) {
    const startMs = await context.step(`${starts} starts of the embedded server`, timeStarts);
    const summary = summaryOf(startMs);
    const what = "from the start of `trustplane serve` until all services listen";
    const compared = await withServer((server) => withDataServer((lasting) => compare(context, { server, lasting })));
    const text = [
      table([`ms, ${starts} starts`, ...summaryHeader], [[what, ...summaryCells(summary)]]),
      "",
      compared.text,
    ].join("\n");
    return {
      text,
      goals: [atMost({ what, most: targetStartMs, value: summary.median, unit: "ms" }), ...compared.goals],
    };
  },
};

async function timeStarts(): Promise<number[]> {
  const samples: number[] = [];
  for (let run = 0; run < starts; run += 1) {
    const { startMs, stop } = await startBenchServer();
    samples.push(startMs);
    await stop();
  }
  return samples;
}

/** Does the work with a server that keeps its data in a file. */
function withDataServer<T>(work: (server: BenchServer) => Promise<T>): Promise<T> {
  return withScratchFolder(tmpdir(), async (folder) => {
    const server = await startBenchServer(["--data", join(folder, "data.db")]);
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  });
}

interface Contenders {
  readonly server: BenchServer;
  readonly lasting: BenchServer;
}

async function compare(context: BenchContext, { server: { secrets }, lasting }: Contenders): Promise<Findings> {
  const vault = await benchVault();
  try {
    const [ours, real] = [{ name: "embedded server", ...secrets }, vault.running];
    const withData = { name: "embedded server with `--data`", ...lasting.secrets };
    const servers = [ours, ...(real === undefined ? [] : [{ name: "Vault 1.21.1", ...real }]), withData];
    const shared = { requests: requestsPerRound, connections };
    const write = { ...shared, method: "POST", body: JSON.stringify(role), status: 204 };
    const read = { ...shared, method: "GET", status: 200 };
    const writes = await versus(context, { what: "writes of a role", way: write, servers, answer: "" });
    const answer = await (await fetch(`${secrets.address}${paths[0]}`, { headers: headersFor(secrets) })).text();
    const reads = await versus(context, { what: "reads of a role", way: read, servers, answer });
    const text = [
      `Requests per second, ${rounds} rounds of ${figure(requestsPerRound)} requests over ${connections} kept connections on loopback, sent by another ` +
        `process to ${roleCount} roles. Beside it, in turns, the same with a data file, ${real === undefined ? "" : "a real Vault with its storage in memory, and "}a bare \`node:http\` handler that reads the body and answers the same bytes.`,
      "",
      table(["requests per second", ...summaryHeader, "of the embedded server"], [...writes.rows, ...reads.rows]),
      ...(real === undefined ? ["", vault.missing] : []),
    ].join("\n");
    return { text, goals: real === undefined ? [] : [writes.goal, reads.goal] };
  } finally {
    await vault.running?.close();
  }
}

const paths = Array.from({ length: roleCount }, (_, index) => `/v1/auth/jwt/role/role-${index}`);
const headersFor = ({ token }: { readonly token: string }) => ({
  "x-vault-token": token,
  "content-type": "application/json",
});

interface Contest {
  readonly what: string;
  readonly way: Omit<Load, "urls" | "headers">;
  /** The embedded one first. */
  readonly servers: readonly { readonly name: string; readonly address: string; readonly token: string }[];
  /** What the bare handler answers. */
  readonly answer: string;
}

async function versus(context: BenchContext, { what, way, servers, answer }: Contest) {
  const bare = await startServing([workerFile("bare-server.mts"), String(way.status), answer]);
  try {
    const all = [...servers, { name: "bare handler", address: bare.firstLine, token: "none" }];
    const samples = all.map((): number[] => []);
    await context.step(`embedded server: ${what}`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, server] of all.entries()) {
          const urls = paths.map((path) => server.address + path);
          samples[index]?.push(await perSecond({ ...way, headers: headersFor(server), urls }));
        }
      }
    });
    const summaries = samples.map((sample) => summaryOf(sample.map(Math.round)));
    const medians = summaries.map(({ median }) => median);
    const [own = Number.NaN, next = Number.NaN] = medians;
    const rows = summaries.map((summary, index) => {
      const ofOwn = `${Math.round((100 * summary.median) / own)} %`;
      return [`${all[index]?.name}, ${what}`, ...summaryCells(summary), ofOwn];
    });
    const ratio = own / next;
    const goal: Goal = {
      what: `embedded server beside a real Vault, ${what} per second`,
      goal: "at least as many",
      measured: `× ${figure(ratio)}`,
      met: ratio >= 1 ? "yes" : "no",
    };
    return { rows, goal };
  } finally {
    await bare.stop();
  }
}

async function perSecond(load: Load): Promise<number> {
  const result = await runWorker<LoadResult>("load.mts", { args: [JSON.stringify(load)] });
  return result.perSecond;
}
