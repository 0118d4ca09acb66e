import { differences } from "../wire/differences.ts";
import { nameOf } from "../wire/scenario.mts";
import { scenarios } from "../wire/scenarios/index.mts";
import { type Tag, testName } from "./tags.ts";

/** What is wrong with where a statement about real servers comes from. */
export function evidenceProblem(evidence: string): string | undefined {
  if (/^reference (secrets|peering|policy) (\d+(\.\d+)*|[ABC]\.\d+)$/.test(evidence)) return undefined;
  const recording = /^wire (.+)$/.exec(evidence)?.[1];
  if (recording === undefined) return `"${evidence}" is no evidence`;
  return scenarioOf(recording) === undefined ? `nothing is recorded as ${recording}` : undefined;
}

/** What is wrong with a tag, where the rows have these names. */
export function tagProblem(tag: Tag, rows: ReadonlySet<string>): string | undefined {
  const place = `test/${tag.file}:${tag.line}: "@covers ${tag.row}"`;
  if (!rows.has(tag.row)) return `${place} names no row of test/coverage`;
  if (tag.titles.length === 0) return `${place} is not directly above a test, or above one that is skipped`;
  const reason = unansweredReason(tag);
  return reason && `${place} is above a step that the embedded server does not answer as the real one: ${reason}`;
}

/** A step is a test where the embedded server answers it as the first of its servers did. */
function unansweredReason(tag: Tag): string | undefined {
  const [, recording = "", title] = /^wire (\S+) > (.+)$/.exec(testName(tag)) ?? [];
  const scenario = scenarioOf(recording);
  const step = scenario?.steps.find((each) => each.title === title);
  const [server] = step?.servers ?? scenario?.servers ?? [];
  return differences.find((each) => each.server === server && each.scenario === recording && each.step === title)
    ?.reason;
}

function scenarioOf(name: string) {
  return scenarios.find((scenario) => nameOf(scenario) === name);
}
