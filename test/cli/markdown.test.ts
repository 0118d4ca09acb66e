import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { codeBlock, codeSpan, htmlText, sentenceHtml } from "../../cli/text/markdown";
import { visibleLine } from "../../cli/text/visible-text";
import { fc } from "../support/fast-check.ts";

/** Texts that somebody may put into a claim, a name or a server's answer. */
const HOSTILE = [
  "</summary></details><img src=x onerror=alert(1)>",
  "```\n# heading\n```",
  "` ``` `` `",
  "@everyone #1 !2 ~bug [link](https://evil.example) www.evil.example https://evil.example",
  "<!-- trustplane:preview:story%2Fdev -->",
  "--> <script>alert(1)</script>",
  "a\n\n# b\n\n* c\n\n| d | e |\n|---|---|",
  "  \n\n    indented",
  "&lt;b&gt; &#60;b&#62;",
  "\\`*_{}[]()#+-.!|~^$%",
];
const texts = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({
    unit: fc.constantFrom("`", "\n", "<", ">", "&", "*", "_", "[", "]", "(", ")", "#", "@", "a", " ", "~", "\\"),
  }),
);
const html = (markdown: string) => marked.parse(markdown, { async: false });
/** The elements of rendered text, in order. */
const elements = (markdown: string) => (html(markdown).match(/<\/?[a-z][^>]*>|<!--/g) ?? []).join("");

describe("no text can leave", () => {
  it("a code span", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(elements(`* before ${codeSpan(text)} after`)).toBe("<ul><li><code></code></li></ul>");
      }),
      { numRuns: 1000 },
    );
  });

  it("a block of code", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(elements(`${codeBlock(text)}\n\n**after**`)).toBe("<pre><code></code></pre><p><strong></strong></p>");
      }),
      { numRuns: 1000 },
    );
  });

  it("HTML in Markdown", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const block = `<details><summary><code>${htmlText(text)}</code></summary>\n\nx\n\n</details>\n`;
        expect(elements(block)).toBe("<details><summary><code></code></summary><p></p></details>");
        expect(elements(`a <b>${htmlText(text)}</b>`)).toBe("<p><b></b></p>");
      }),
      { numRuns: 1000 },
    );
  });
});

it("a sentence with code spans is HTML with as many, each with its text", () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const shown = sentenceHtml(`before ${codeSpan(one)} and ${codeSpan(other)}.`);
      const code = (text: string) => `<code>${htmlText(visibleLine(text))}</code>`;
      expect(shown).toBe(`before ${code(one)} and ${code(other)}${htmlText(".")}`);
    }),
    { numRuns: 1000 },
  );
});

it.each(["plain", "a`b", "`", " a ", "<b>&amp;"])("the code span of %j shows it", (text) => {
  const shown = html(codeSpan(text)).replace(/^<p><code>|<\/code><\/p>\n$/g, "");
  expect(shown).toBe(text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"));
});
