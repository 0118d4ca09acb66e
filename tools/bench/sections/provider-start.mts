import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../bench-server.mts";
import { atMost } from "../goal.mts";
import { type HostName, hostNames, shareOf } from "../hosts.mts";
import { summaryCells, summaryHeader, table } from "../markdown.mts";
import { checkedInputs, checkRequest, configureRequest, prepareProgram, startProviderHost } from "../provider-host.mts";
import { runWorker } from "../run-worker.mts";
import { sampleRoles } from "../sample-resources.mts";
import type { Section } from "../section.mts";
import { summaryOf } from "../statistics.mts";

const runs = 7;
/** Of the plugin, from its spawn to the first answered Check. */
const targetMs = 250;

/** Milliseconds from the spawn of the host. */
interface Start {
  readonly listening: number;
  readonly firstAnswer: number;
  readonly secondAnswer: number;
}

const moments = [
  { title: "until it listens", of: "listening" },
  { title: "until the first Check is answered", of: "firstAnswer" },
  { title: "until the second Check is answered", of: "secondAnswer" },
] as const;

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
      const starts: Record<HostName, Start[]> = { dynamic: [], plugin: [] };
      const loads: Loads[] = [];
      await context.step(`${runs} starts of the provider on each host`, async () => {
        for (let run = 0; run < runs; run += 1) {
          starts.dynamic.push(await timeStart("dynamic", programFolder, { __provider: provider }, server.env));
          starts.plugin.push(await timeStart("plugin", programFolder, {}, server.env));
          loads.push(await timeLoads(programFolder));
        }
      });
      const row = (what: string, samples: readonly number[]) => [what, ...summaryCells(summaryOf(samples))];
      const text = [
        `Milliseconds, ${runs} runs; each in a new process, files in the system's cache. The first Check loads the provider and asks the server for its version.`,
        "",
        table(
          ["from spawn", "host", ...summaryHeader, "plugin / dynamic"],
          moments.flatMap(({ title, of }) => {
            const medians = { dynamic: medianOf(starts.dynamic, of), plugin: medianOf(starts.plugin, of) };
            return hostNames.map((host) => [
              title,
              host,
              ...summaryCells(summaryOf(starts[host].map((start) => start[of]))),
              host === "plugin" ? shareOf(medians) : undefined,
            ]);
          }),
        ),
        "",
        table(
          ["what is in the dynamic host's, each measured alone", ...summaryHeader],
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
        `\`require("@pulumi/pulumi")\` alone is as long as ${Math.round((100 * medianOf(loads, "pulumi")) / medianOf(starts.dynamic, "firstAnswer"))} % of the way to the first answered Check (medians); the host loads most of it as well.`,
      ].join("\n");
      const goal = atMost({
        what: "from the start of the plugin until its first Check is answered",
        ...{ most: targetMs, value: medianOf(starts.plugin, "firstAnswer"), unit: "ms" },
      });
      return { text, goals: [goal] };
    }),
};

function medianOf<Key extends string>(samples: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return summaryOf(samples.map((sample) => sample[key])).median;
}

async function timeStart(
  name: HostName,
  programFolder: string,
  more: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<Start> {
  const [role] = sampleRoles(1);
  const check = checkRequest({}, { ...role, ...more });
  const startedAt = performance.now();
  const host = await startProviderHost(name, programFolder, env);
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
