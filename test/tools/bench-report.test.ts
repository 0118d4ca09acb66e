import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atMost } from "../../tools/bench/goal.mts";
import { figure, table } from "../../tools/bench/markdown.mts";
import { type Report, reportIn, reportText, runOf, withSections } from "../../tools/bench/report.mts";
import { sections } from "../../tools/bench/sections.mts";
import { repository } from "../../tools/steps/repository.mjs";

describe("a figure of the report", () => {
  it.each([
    [0, "0"],
    [0.004567, "0.00457"],
    [0.5, "0.5"],
    [2.345, "2.35"],
    [45.67, "45.7"],
    [305, "305"],
    [9_876.5, "9,877"],
    [1_234_567, "1,234,567"],
    [-12.34, "-12.3"],
  ])("%d is written %s", (value, text) => {
    expect(figure(value)).toBe(text);
  });

  it("that is none is an error", () => {
    expect(() => figure(Number.NaN)).toThrow("NaN is not a figure");
  });
});

describe("a table of the report", () => {
  it("aligns columns of numbers to the right, shows what is missing as a dash, and keeps cells on one line", () => {
    const rows = [
      ["a|b", 1_000, "1"],
      ["two\nlines", undefined, "x"],
    ];
    expect(table(["what", "ms", "mixed"], rows)).toBe(
      ["| what | ms | mixed |", "| --- | --: | --- |", "| a\\|b | 1,000 | 1 |", "| two lines | – | x |"].join("\n"),
    );
  });
});

describe("a goal", () => {
  it.each([
    { value: 99.94, measured: "99.9 ms", met: "yes" },
    { value: 100, measured: "100 ms", met: "yes" },
    { value: 150, measured: "150 ms", met: "no, × 1.5" },
    { value: undefined, measured: "not known", met: "unknown" },
  ])("of at most 100 ms: $value is $met", ({ value, ...rest }) => {
    expect(atMost({ what: "a start", most: 100, value, unit: "ms" })).toEqual({
      what: "a start",
      goal: "at most 100 ms",
      ...rest,
    });
  });
});

const run = runOf({
  command: "npm run bench -- --roles 50",
  startedAt: new Date("2026-01-02T03:04:05Z"),
  endedAt: new Date("2026-01-02T03:05:10Z"),
  machine: [["Node", "24.0.0"]],
  loads: ["0.1, 0.2, 0.3", "1, 2, 3"],
});
const later = runOf({
  command: "npm run bench -- --only second",
  startedAt: new Date("2026-02-03T03:04:05Z"),
  endedAt: new Date("2026-02-03T03:05:10Z"),
  machine: [
    ["Node", "24.0.1"],
    ["Commit", "abc"],
  ],
  loads: ["0, 0, 0", "0, 0, 0"],
});
const goal = { what: "a|b", goal: "at most 1 ms", measured: "2 ms", met: "no, × 2" };
const report: Report = [
  { title: "First", text: "one\n\n| a |\n| --- |\n| 1 |", goals: [], run },
  { title: "Second", text: "two", goals: [goal], run },
];

describe("the report", () => {
  const text = reportText(report);

  it("has the figures first, then how and on what they were measured, and the goals in one table at the end", () => {
    expect(text).toMatch(/^# Benchmarks\n\n.*\n\n## 1\. First\n\n\[Run 1\]\(#runs\), 2026-01-02\.\n\none\n/);
    expect(text).toContain("\n## 2. Second\n\n[Run 1](#runs), 2026-01-02.\n\ntwo\n\n## Runs\n");
    expect(text).toContain(
      "| Command | `npm run bench -- --roles 50` |\n| Measured | 2026-01-02T03:04:05.000Z, for 1 min 05 s |",
    );
    expect(text).toContain(
      "| Node | 24.0.0 |\n| Load average (1, 5, 15 minutes) | 0.1, 0.2, 0.3 before, 1, 2, 3 after |",
    );
    expect(text).toMatch(
      /\n## Goals\n\n.*\n\n\| section \| what \| goal \| measured \| met \|\n.*\n\| 2 \| a\\\|b \| at most 1 ms \| 2 ms \| no, × 2 \|\n$/,
    );
  });

  it("takes a section of a later run, and keeps the others with their own", () => {
    const changed = withSections(
      reportIn(text),
      [{ title: "Second", text: "zwei", goals: [{ ...goal, measured: "1 ms", met: "yes" }], run: later }],
      ["First", "Second"],
    );
    const lines = reportText(changed).split("\n");
    expect(lines).toContain("[Run 1](#runs), 2026-01-02.");
    expect(lines).toContain("[Run 2](#runs), 2026-02-03.");
    expect(lines).toContain("| Node | 24.0.0 | 24.0.1 |");
    expect(lines).toContain("| Commit | – | abc |");
    expect(lines).toContain("| 2 | a\\|b | at most 1 ms | 1 ms | yes |");
    expect(lines.join()).not.toContain("| 2 ms |");
  });

  it("is ordered as the sections are, and forgets one that there is no more", () => {
    const [first, second] = report;
    expect(withSections(report, [], ["Second", "First"])).toEqual([second, first]);
    expect(withSections(report, [], ["First"])).toEqual([first]);
  });

  it("is not read from a file that is none", () => {
    expect(() => reportIn("# Changelog\n\n## 0.1.0\n")).toThrow("that file is no report of the benchmarks");
  });
});

describe("BENCHMARKS.md", () => {
  const committed = readFileSync(join(repository, "BENCHMARKS.md"), "utf8");

  it("is as the writer of today has it, so that a run of one section keeps the others", () => {
    expect(reportText(reportIn(committed))).toBe(committed);
  });

  it("has every section", () => {
    expect(reportIn(committed).map(({ title }) => title)).toEqual(sections.map(({ title }) => title));
  });
});
