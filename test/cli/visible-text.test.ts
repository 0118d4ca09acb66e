import { describe, expect, it } from "vitest";
import type { DriftReport } from "../../cli/facts/drift/report.ts";
import { shownValue } from "../../cli/stack/diff-lines.ts";
import { codeBlock, codeSpan, htmlText } from "../../cli/text/markdown.ts";
import { shortLine, visibleLine, visibleText } from "../../cli/text/visible-text.ts";
import { markdownReport } from "../../cli/views/drift/markdown-report.ts";
import { sarifReport } from "../../cli/views/drift/sarif-report.ts";
import { terminalReport } from "../../cli/views/drift/terminal-report.ts";
import { fc } from "../support/fast-check.ts";
import { report } from "./comment-harness.ts";
import { previewJson } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const UNSEEN = [
  ["a mark that turns the direction", "\u202e", "\\u202e"],
  ["an isolate", "\u2066", "\\u2066"],
  ["a space without width", "\u200b", "\\u200b"],
  ["a joiner", "\u034f", "\\u034f"],
  ["a filler of Hangul", "\u3164", "\\u3164"],
  ["a blank of Braille", "\u2800", "\\u2800"],
  ["a choice of a variant", "\ufe0f", "\\ufe0f"],
  ["a choice of a rare variant", "\u{e0101}", "\\u{e0101}"],
  ["a tag", "\u{e0041}", "\\u{e0041}"],
  ["a blank note", "\u{1d173}", "\\u{1d173}"],
  ["a space that does not break", "\u00a0", "\\u00a0"],
  ["a separator of lines", "\u2028", "\\u2028"],
  ["a carriage return", "\r", "\\u000d"],
  ["half a character", "\ud800", "\\ud800"],
  ["a sequence of a terminal", "\u001b]8;;x\u0007", "\\u001b]8;;x\\u0007"],
] as const;
/** What Unicode says has no glyph of its own, and what a reader takes for a space or for nothing. */
const HIDES = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cs}\u2800]|(?![\n\t])\p{Cc}|(?! )\p{Zs}/u;

describe("no reader overlooks", () => {
  it.each(UNSEEN)("%s, wherever a text from outside is shown", (_what, character, shown) => {
    const text = `adm${character}in`;
    const all = [visibleText, visibleLine, (each: string) => shortLine(each, 99), codeSpan, codeBlock, shownValue];
    for (const show of all) {
      expect(show(text).replaceAll("\\\\", "\\").toLowerCase()).toContain(shown === "\\u000d" ? "adm\\" : shown);
      expect(show(text)).not.toMatch(HIDES);
    }
    expect(htmlText(text)).not.toMatch(HIDES);
  });

  it.each(UNSEEN)(
    "%s in the name of a resource, in a comment, in lint and in the reports of drift",
    async (_what, character) => {
      const name = `ci${character}x`;
      const input = previewJson({
        steps: [{ op: "delete", token: "jwt:Role", name, id: name, before: { name, boundSubject: name } }],
        warnings: [name],
      });
      const drifted: DriftReport = JSON.parse(report("drift", 1));
      const [resource] = drifted.resources;
      const named: DriftReport = {
        ...drifted,
        stack: name,
        resources:
          resource === undefined
            ? []
            : [
                { ...resource, name, id: name },
                { ...resource, status: "unknown", error: name },
              ],
        unlisted: [{ path: name, reason: name }],
        ignoreFile: [{ resource: name, reason: name, expires: "2026-01-01", why: "unused" }],
      };
      const texts = [
        (await runCli(["comment", "--dry-run"], input)).out,
        (await runCli(["comment", "--dry-run"], JSON.stringify(named))).out,
        (await runCli(["lint"], previewJson({ steps: [{ op: "create", token: "jwt:Role", name, after: { name } }] })))
          .out,
        terminalReport(named, { columns: undefined, hasColours: false }),
        markdownReport(named),
        ...Object.values(JSON.parse(sarifReport(named)).runs[0].results).map((each) =>
          JSON.stringify(Object(each).message),
        ),
      ];
      for (const text of texts) expect(text).not.toMatch(HIDES);
    },
  );

  it("anything at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visibleText(text)).not.toMatch(HIDES);
        expect(visibleLine(text)).not.toMatch(/[\n\t]/);
        expect(visibleLine(visibleLine(text))).toBe(visibleLine(text));
      }),
      { numRuns: 60 },
    );
  });
});

it("colours of a message go, and those of a name are shown: it would look like another one", () => {
  expect(visibleText("\u001b[31merror\u001b[0m: no")).toBe("error: no");
  expect(visibleLine("c\u001b[31mi")).toBe("c\\u001b[31mi");
});

it("what anybody can read stays as it is", () => {
  const text = "rôle 部署 😀 \t„“\n";
  expect(visibleText(text)).toBe(text);
});

it("a text that is cut is not cut between the halves of a character", () => {
  expect(shortLine("ab😀", 3)).toBe("ab…");
});
