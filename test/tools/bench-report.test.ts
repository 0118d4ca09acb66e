import { describe, expect, it } from "vitest";
import { figure, table } from "../../tools/bench/markdown.mts";
import { reportText } from "../../tools/bench/report.mts";

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

describe("the report", () => {
  it("says how it was made, on what, and numbers its parts", () => {
    const text = reportText({
      args: ["--roles", "50"],
      startedAt: new Date("2026-01-02T03:04:05Z"),
      endedAt: new Date("2026-01-02T03:05:10Z"),
      machine: [["Node", "24.0.0"]],
      loads: ["0.1, 0.2, 0.3", "1, 2, 3"],
      parts: [
        { title: "First", text: "one" },
        { title: "Second", text: "two" },
      ],
    });
    expect(text).toContain("Written by `npm run bench -- --roles 50`");
    expect(text).toContain("| Measured | 2026-01-02T03:04:05.000Z, for 1 min 05 s |\n| Node | 24.0.0 |");
    expect(text).toContain("0.1, 0.2, 0.3 before, 1, 2, 3 after");
    expect(text).toMatch(/\n## 1\. First\n\none\n\n## 2\. Second\n\ntwo\n$/);
  });
});
