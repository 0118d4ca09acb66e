import { visibleLine, visibleText } from "./visible-text";

/** Any text as a code span: nothing inside is markup, a mention or a reference. */
export function codeSpan(text: string): string {
  const line = visibleLine(text);
  const fence = "`".repeat(longestRun(line) + 1);
  // A space keeps a backtick at the edge apart from the fence; CommonMark 6.1 takes one off at each end.
  const edge = line === "" || /^[` ]|[` ]$/.test(line) ? " " : "";
  return `${fence}${edge}${line}${edge}${fence}`;
}

/** A sentence that holds code spans, as HTML. */
export function sentenceHtml(sentence: string): string {
  const parts = sentence.split(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/);
  return parts
    .map((part, index) => {
      if (index % 3 === 0) return htmlText(part);
      return index % 3 === 1 ? "" : `<code>${htmlText(part.replace(/^ (.*) $/, "$1"))}</code>`;
    })
    .join("");
}

/** Any text as a block of code. A fence inside the text does not end the block. */
export function codeBlock(text: string, language = ""): string {
  const shown = visibleText(text);
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** Any text as the content or an attribute of HTML, also of HTML inside Markdown. */
export function htmlText(text: string): string {
  // The forges make links of bare addresses and mentions in text, too.
  return visibleLine(text)
    .replace(/[&<>"'`*_[\]()!#@~|\\{}$^%:]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/www\./gi, (start) => `${start.slice(0, 3)}&#46;`);
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}
