import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../bench-server.mts";
import { checkedInputs, checkRequest, configureRequest, prepareProgram, startDynamicHost } from "../dynamic-host.mts";
import { summaryCells, summaryHeader, table } from "../markdown.mts";
import { runWorker } from "../run-worker.mts";
import { sampleRoles } from "../sample-resources.mts";
import type { Section } from "../section.mts";
import { summaryOf } from "../statistics.mts";

const runs = 7;

/** Milliseconds from the spawn of the host. */
interface Start {
  readonly listening: number;
  readonly firstAnswer: number;
  readonly secondAnswer: number;
}

/** Milliseconds in a Node of its own. */
interface Loads {
  readonly node: number;
  readonly pulumi: number;
  readonly provider: number;
  readonly engine: number;
}

export const providerStart: Section = {
  name: "provider-start",
  title: "Start of the provider",
  measure: (context) =>
    withServer(async (server) => {
      const folder = join(context.folder, "provider-start");
      mkdirSync(folder, { recursive: true });
      const { programFolder, provider } = await prepareProgram(folder);
      const starts: Start[] = [];
      const loads: Loads[] = [];
      await context.step(`${runs} starts of the provider`, async () => {
        for (let run = 0; run < runs; run += 1) {
          starts.push(await timeStart(programFolder, provider, server.env));
          loads.push(await timeLoads(programFolder));
        }
      });
      const row = (what: string, samples: readonly number[]) => [what, ...summaryCells(summaryOf(samples))];
      return [
        `Milliseconds, ${runs} runs; each in a new process, files in the system's cache. The first Check loads the provider and asks the server for its version.`,
        "",
        table(
          ["from spawn of the dynamic provider", ...summaryHeader],
          [
            row(
              "until it listens",
              starts.map(({ listening }) => listening),
            ),
            row(
              "until the first Check is answered",
              starts.map(({ firstAnswer }) => firstAnswer),
            ),
            row(
              "until the second Check is answered",
              starts.map(({ secondAnswer }) => secondAnswer),
            ),
          ],
        ),
        "",
        table(
          ["what is in it, each measured alone", ...summaryHeader],
          [
            row(
              "Node itself, from its start to its first line of code",
              loads.map(({ node }) => node),
            ),
            row(
              '`require("@pulumi/pulumi")`',
              loads.map(({ pulumi }) => pulumi),
            ),
            row(
              '`require("trustplane/dynamic/jwtRole")`, after it',
              loads.map((each) => each.provider),
            ),
            row(
              "what that loads at its first call: engine, resources, HTTP client",
              loads.map(({ engine }) => engine),
            ),
          ],
        ),
        "",
        `\`require("@pulumi/pulumi")\` alone is as long as ${Math.round((100 * medianOf(loads, "pulumi")) / medianOf(starts, "firstAnswer"))} % of the way to the first answered Check (medians); the host loads most of it as well.`,
      ].join("\n");
    }),
};

function medianOf<Key extends string>(samples: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return summaryOf(samples.map((sample) => sample[key])).median;
}

async function timeStart(
  programFolder: string,
  provider: string,
  env: Readonly<Record<string, string>>,
): Promise<Start> {
  const [role] = sampleRoles(1);
  const check = checkRequest({}, { ...role, __provider: provider });
  const startedAt = performance.now();
  const host = await startDynamicHost(programFolder, env);
  try {
    await host.call("Configure", configureRequest());
    const answer = await host.call("Check", check);
    const firstAnswer = performance.now() - startedAt;
    await host.call("Check", check);
    const secondAnswer = performance.now() - startedAt;
    checkedInputs(answer);
    return { listening: host.startMs, firstAnswer, secondAnswer };
  } finally {
    await host.stop();
  }
}

async function timeLoads(programFolder: string): Promise<Loads> {
  return runWorker<Loads>("load-times.cjs", { cwd: programFolder });
}
