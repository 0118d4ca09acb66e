import { cases } from "../contract/cases/index.ts";
import type { Treatment } from "../support/contract-case.ts";
import { differences } from "../wire/differences.ts";
import { nameOf } from "../wire/scenario.mts";
import { scenarios } from "../wire/scenarios/index.mts";
import { type Title, type TitlePath, titlesIn } from "./test-titles.ts";

/** What a test runner puts into a title: `%s`, `%1$s`, `$name`, `${…}`. */
const GAP = /%(?:\d+\$)?[a-zA-Z#$]|\$\{[^}]*\}|\$[a-zA-Z][\w.]*/g;

/** Tests every property of every resource by its treatment in the case files: its titles are properties. */
const FIELDS = "contract/fields";

/** What is wrong with the name of a test; undefined when there is such a test. */
export function testProblem(reference: string): string | undefined {
  const [place = "", ...path] = reference.split(" > ");
  if (path.length === 0) return `"${reference}" names no test`;
  const recording = recordingOf(place);
  if (recording !== undefined) return stepProblem(recording, path.join(" > "));
  if (place === FIELDS) return fieldProblem(path.join());
  const titles = titlesIn(place);
  if (titles === undefined) return `test/${place}.test.ts is not there`;
  return isNamed(path, titles) ? undefined : `test/${place}.test.ts has no test "${path.join(" > ")}"`;
}

/** What is wrong with where a statement about real servers comes from. */
export function evidenceProblem(evidence: string): string | undefined {
  if (/^reference (secrets|peering|policy) (\d+(\.\d+)*|[AB]\.\d+)$/.test(evidence)) return undefined;
  const recording = recordingOf(evidence);
  if (recording === undefined)
    return evidence.startsWith("live/") ? testProblem(evidence) : `"${evidence}" is no evidence`;
  return scenarioOf(recording) === undefined ? `nothing is recorded as ${recording}` : undefined;
}

/**
 * True when a test or group has these titles: the last its own, those before it around it, in order. A title with gaps may
 * be written as in the file, or with the texts of its table in the gaps; one that is all gaps says nothing alone.
 */
export function isNamed(wanted: readonly string[], paths: readonly TitlePath[]): boolean {
  const isAlone = wanted.length === 1 && wanted[0]?.replace(GAP, "").replace(/\W/g, "") === "";
  return !isAlone && paths.some((path) => isAlong(wanted, path));
}

function isAlong(wanted: readonly string[], path: TitlePath): boolean {
  let rest = path;
  for (const text of wanted.slice(0, -1)) {
    const at = rest.findIndex((title) => isCalled(title, text));
    if (at < 0) return false;
    rest = rest.slice(at + 1);
  }
  const own = rest.at(-1);
  return own !== undefined && isCalled(own, wanted.at(-1) ?? "");
}

function isCalled({ text, fills }: Title, wanted: string): boolean {
  if (text === wanted) return true;
  const parts = text.split(GAP).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const filled = new RegExp(`^${parts.join("(.+)")}$`).exec(wanted);
  return filled?.slice(1).every((each) => fills.has(each)) ?? false;
}

function recordingOf(place: string): string | undefined {
  return place.startsWith("wire ") ? place.slice("wire ".length) : undefined;
}

function scenarioOf(name: string) {
  return scenarios.find((scenario) => nameOf(scenario) === name);
}

function fieldProblem(name: string): string | undefined {
  const [resource = "", property = ""] = name.split(".");
  const known: Readonly<Record<string, { fields: object } | undefined>> = cases;
  const treatments = Object.entries<Treatment>({ ...known[resource]?.fields });
  const isTested = treatments.some(([field, { means }]) => field === property && means !== "nothing");
  return isTested ? undefined : `test/${FIELDS}.test.ts has no test of ${name}`;
}

/** A step is a test where the embedded server answers it as the first of its servers did. */
function stepProblem(recording: string, title: string): string | undefined {
  const scenario = scenarioOf(recording);
  if (scenario === undefined) return `nothing is recorded as ${recording}`;
  const step = scenario.steps.find((each) => each.title === title);
  if (step === undefined) return `${recording} has no step "${title}"`;
  const [server] = step.servers ?? scenario.servers;
  const different = differences.find(
    (each) => each.server === server && each.scenario === recording && each.step === title,
  );
  return different && `${recording} > ${title} is no test: ${different.reason}`;
}
