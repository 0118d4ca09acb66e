import { type BenchServer, startBenchServer, withServer } from "../bench-server.mts";
import { figure, summaryCells, summaryHeader, table } from "../markdown.mts";
import { runWorker, startServing, workerFile } from "../run-worker.mts";
import type { BenchContext, Section } from "../section.mts";
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
    const { median } = summaryOf(startMs);
    const verdict = `${figure(median)} ms, ${median <= targetStartMs ? "met" : "**missed**"}`;
    return [
      table(
        ["ms", ...summaryHeader],
        [["from spawn of `trustplane serve` until all services listen", ...summaryCells(summaryOf(startMs))]],
      ),
      "",
      `Target: under ${targetStartMs} ms (median). ${verdict}; ${starts} starts.`,
      "",
      await withServer((server) => compare(context, server)),
    ].join("\n");
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

async function compare(context: BenchContext, { secrets }: BenchServer): Promise<string> {
  const headers = { "x-vault-token": secrets.token, "content-type": "application/json" };
  const paths = Array.from({ length: roleCount }, (_, index) => `/v1/auth/jwt/role/role-${index}`);
  const to = (address: string) => paths.map((path) => address + path);
  const shared = { requests: requestsPerRound, connections, headers };
  const write = { ...shared, method: "POST", body: JSON.stringify(role), status: 204 };
  const read = { ...shared, method: "GET", status: 200 };
  const writes = await versus(context, "writes of a role", write, { address: secrets.address, to, answer: "" });
  const answer = await (await fetch(`${secrets.address}${paths[0]}`, { headers })).text();
  const reads = await versus(context, "reads of a role", read, { address: secrets.address, to, answer });
  return [
    `Requests per second, ${rounds} rounds of ${figure(requestsPerRound)} requests over ${connections} kept connections on loopback, sent by another ` +
      `process to ${roleCount} roles. Beside it, in turns, a bare \`node:http\` handler that reads the body and answers the same bytes: the most that this way of asking can show.`,
    "",
    table(["requests per second", ...summaryHeader, "of the bare handler"], [...writes, ...reads]),
  ].join("\n");
}

type Way = Omit<Load, "urls">;

async function versus(
  context: BenchContext,
  what: string,
  way: Way,
  { address, to, answer }: { address: string; to: (address: string) => string[]; answer: string },
) {
  const bare = await startServing([workerFile("bare-server.mts"), String(way.status), answer]);
  try {
    const [ours, theirs]: [number[], number[]] = [[], []];
    await context.step(`embedded server: ${what}`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await perSecond({ ...way, urls: to(address) }));
        theirs.push(await perSecond({ ...way, urls: to(bare.firstLine) }));
      }
    });
    const [own, other] = [summaryOf(ours.map(Math.round)), summaryOf(theirs.map(Math.round))];
    return [
      [`embedded server, ${what}`, ...summaryCells(own), `${Math.round((100 * own.median) / other.median)} %`],
      [`bare handler, ${what}`, ...summaryCells(other), "100 %"],
    ];
  } finally {
    await bare.stop();
  }
}

async function perSecond(load: Load): Promise<number> {
  const result = await runWorker<LoadResult>("load.mts", { args: [JSON.stringify(load)] });
  return result.perSecond;
}
