import { elapsed } from "../steps/elapsed.mjs";
import { StepError } from "../steps/step-error.mjs";
import { cellsIn, table } from "./markdown.mts";
import type { Findings } from "./section.mts";

/** How and on what sections were measured: rows of a table, the command and the time first. */
export type Run = readonly (readonly [name: string, value: string])[];

/** A section of the report, and the run that it is of. */
export interface MeasuredSection extends Findings {
  readonly title: string;
  readonly run: Run;
}

/** The report, in the order of its sections. */
export type Report = readonly MeasuredSection[];

const TITLE = "# Benchmarks\n";
const MEASURED = "Measured";
const goalColumns = ["section", "what", "goal", "measured", "met"] as const;

/** What a report says of a run. */
export function runOf(about: {
  readonly command: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly machine: Run;
  /** Load of the machine before and after. */
  readonly loads: readonly [before: string, after: string];
}): Run {
  const { command, startedAt, endedAt, machine, loads } = about;
  return [
    ["Command", `\`${command}\``],
    [MEASURED, `${startedAt.toISOString()}, for ${elapsed(endedAt.getTime() - startedAt.getTime())}`],
    ...machine,
    ["Load average (1, 5, 15 minutes)", `${loads[0]} before, ${loads[1]} after`],
  ];
}

/** The report as Markdown: the figures, the runs that they are of, and at the end the goals. */
export function reportText(report: Report): string {
  const runs = [...new Set(report.map(({ run }) => run))];
  const names = [...new Set(runs.flatMap((run) => run.map(([name]) => name)))];
  const goals = report.flatMap((section, index) =>
    section.goals.map(({ what, goal, measured, met }) => [String(index + 1), what, goal, measured, met]),
  );
  return [
    TITLE,
    "Written by `npm run bench`; do not edit. The figures of a section are of one run, except where a column says otherwise: " +
      "[Runs](#runs) has the machines. What is aimed at, and whether it is met, is in one table at the end: [Goals](#goals).",
    "",
    ...report.flatMap(({ title, run, text }, index) => [
      ...[`## ${index + 1}. ${title}`, ""],
      ...[`[Run ${runs.indexOf(run) + 1}](#runs), ${cellOf(run, MEASURED).slice(0, "2026-01-02".length)}.`, ""],
      ...[text, ""],
    ]),
    "## Runs",
    "",
    "A load average above the number of processors slows every time of that run.",
    "",
    table(
      ["", ...runs.map((_, index) => `run ${index + 1}`)],
      names.map((name) => [name, ...runs.map((run) => cellOf(run, name))]),
    ),
    "",
    "## Goals",
    "",
    "The first column is the number of the section. Times are medians.",
    "",
    table(goalColumns, goals),
    "",
  ].join("\n");
}

const cellOf = (run: Run, name: string) => run.find(([each]) => each === name)?.[1] ?? "–";

/** Reads what `reportText` has written. Throws a `StepError` for any other text. */
export function reportIn(text: string): Report {
  const [intro = "", ...chapters] = text.split(/^## /m);
  const [runs, goals] = chapters.slice(-2);
  if (!intro.startsWith(TITLE) || !runs?.startsWith("Runs\n") || !goals?.startsWith("Goals\n"))
    throw new StepError("that file is no report of the benchmarks", {
      next: "name a report, or a new file, with --output",
    });
  const [head = [], ...rows] = cellsIn(runs);
  const found = head.slice(1).map(
    (_, index): Run =>
      rows.flatMap(([name = "", ...values]) => {
        const value = values[index] ?? "–";
        return value === "–" ? [] : [[name, value] as const];
      }),
  );
  const [, ...allGoals] = cellsIn(goals);
  return chapters.slice(0, -2).map((chapter) => {
    const [, number, title = "", run, body = ""] =
      /^(\d+)\. (.*)\n\n\[Run (\d+)\].*\n\n([\s\S]*)\n\n$/.exec(chapter) ?? [];
    const own = found[Number(run) - 1];
    if (own === undefined) throw new StepError(`a section of the report cannot be read: ${chapter.split("\n")[0]}`);
    const ofSection = allGoals.filter(([section]) => section === number);
    return {
      ...{ title, text: body, run: own },
      goals: ofSection.map(([, what = "", goal = "", measured = "", met = ""]) => ({ what, goal, measured, met })),
    };
  });
}

/** The sections of a new run in place of those that a report has of the same titles, in the order of `titles`. */
export function withSections(report: Report, measured: Report, titles: readonly string[]): Report {
  const all = [...measured, ...report];
  return titles.flatMap((title) => all.find((section) => section.title === title) ?? []);
}
