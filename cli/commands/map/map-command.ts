import { readFile } from "node:fs/promises";
import { ProviderError } from "../../../provider/core/errors";
import type { DriftReport } from "../../facts/drift/report";
import { driftReportIn } from "../../facts/drift/report-in";
import { readExceptions } from "../../facts/exceptions/exceptions-file";
import { counted, KIND_NAMES } from "../../facts/map/kinds";
import { makeMap } from "../../facts/map/make-map";
import type { TrustMap } from "../../facts/map/trust-map";
import { sayNotLookedAt, type Terminal } from "../../io/terminal";
import { writeReport } from "../../io/write-report";
import { stackIn } from "../../sources/read-stack";
import { stackSource } from "../../sources/stack-source";
import { desired, recordsOf } from "../../stack/desired-stack";
import { loginsNotLookedAt } from "../../stack/login-collections";
import { htmlMap } from "../../views/map/html-map";
import { mermaidText } from "../../views/map/mermaid";
import { COMMANDS } from "../options/commands";
import type { MapFlags } from "./map-flags";

/** The forms of a map, by the name of their flag. */
const FORMATS = {
  html: htmlMap,
  mermaid: mermaidText,
  json: (map) => `${JSON.stringify(map, undefined, 2)}\n`,
} satisfies Record<string, (map: TrustMap) => string>;

/** Makes the map of a state or a preview and writes it. Returns the exit code. */
export async function runMap(flags: MapFlags, terminal: Terminal): Promise<number> {
  const asked = formatsIn(flags);
  if (asked.filter(({ to }) => to === true).length > 1)
    throw new ProviderError("InputError", "only one map can go to the standard output; give the others a file.");
  const source = await stackSource(flags, terminal, COMMANDS.map.input);
  const options = {
    maxTtl: flags.maxTtl,
    exceptions: flags.ignore === undefined ? [] : readExceptions(flags.ignore).silence,
    drift: flags.drift === undefined ? undefined : await driftIn(flags.drift),
    only: flags.only,
    today: new Date().toISOString().slice(0, 10),
  };
  const stack = desired(stackIn(source));
  const beside = source.isLive ? [] : loginsNotLookedAt(recordsOf(stack));
  const map = makeMap({ ...stack, notLookedAt: [...source.notLookedAt, ...stack.notLookedAt, ...beside] }, options);
  sayNotLookedAt(map.notLookedAt ?? [], terminal);
  for (const { format, to } of asked) {
    if (to === true) terminal.out(format(map));
    else writeReport(to, format(map));
  }
  if (!asked.some(({ to }) => to === true)) terminal.out(summaryOf(map));
  return 0;
}

function formatsIn(flags: MapFlags) {
  return Object.entries(FORMATS).flatMap(([name, format]) => {
    // Each format has a flag of its name.
    const to = flags[name as keyof typeof FORMATS];
    return to === undefined ? [] : [{ format, to }];
  });
}

async function driftIn(path: string): Promise<DriftReport> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new ProviderError("InputError", `the file ${path} cannot be read.`);
  });
  const report = driftReportIn(text);
  if (report === undefined)
    throw new ProviderError("InputError", `the file ${path} is no report of trustplane drift --json.`);
  return report;
}

function summaryOf({ nodes, edges, leftOut }: TrustMap): string {
  const kinds = KIND_NAMES.map((kind) => [kind, nodes.filter((node) => node.kind === kind).length] as const);
  const counts = kinds.filter(([, count]) => count > 0).map(([kind, count]) => counted(kind, count));
  const flagged = nodes.filter(({ findings }) => findings.length > 0).length;
  const drifted = nodes.filter(({ drift }) => drift !== undefined).length;
  const others = leftOut.map(({ class: name, count }) => `${count} ${name}`);
  return [
    nodes.length === 0
      ? "nothing of this stack belongs on a map"
      : `${counts.join(", ")}; ${edges.length} ${edges.length === 1 ? "way" : "ways"} between them`,
    `${flagged} flagged by lint, ${drifted} drifted`,
    ...(others.length === 0 ? [] : [`not on the map: ${others.join(", ")}`]),
    "",
  ].join("\n");
}
