import { diffLines } from "../../stack/diff-lines";
import type { PreviewStep } from "../../stack/preview";
import { type Alike, alike, firstOf } from "../../text/lists";
import { codeBlock, codeSpan, htmlText } from "../../text/markdown";
import { shortLine } from "../../text/visible-text";
import type { Block } from "./fitted";

/** Longer names are cut; the output of the job has them whole. */
const LONGEST_NAME = 120;

/** A name in Markdown. */
export function nameSpan(name: string): string {
  return codeSpan(shortLine(name, LONGEST_NAME));
}

/** A block for each resource. The same change of many resources is one. */
export function stepBlocks(steps: readonly PreviewStep[]): readonly Block[] {
  const said = ({ operation, class: type, changes, unexplained, isBookkeepingOnly }: PreviewStep) => [
    operation,
    type,
    changes,
    unexplained,
    isBookkeepingOnly,
  ];
  return alike(steps, said).map(blockOf);
}

/** More names than these are counted. */
const MOST_NAMES = 100;

function blockOf(steps: Alike<PreviewStep>): Block {
  const [{ operation, class: type, name, changes, unexplained, isBookkeepingOnly }, ...others] = steps;
  const lines = [
    ...diffLines(changes),
    ...unexplained.map((property) => `! ${shortLine(property, LONGEST_NAME)}: differs, the preview does not show how`),
    ...(isBookkeepingOnly ? ["! only internal values differ"] : []),
  ];
  const count = changes.length + unexplained.length;
  const html = (text: string) => `<code>${htmlText(shortLine(text, LONGEST_NAME))}</code>`;
  // What only leaves the state changes in nothing.
  const counted = count === 0 ? "" : `, ${count} ${count === 1 ? "property" : "properties"}`;
  const names = steps.map((step) => nameSpan(step.name));
  const whose = others.length === 0 ? ` ${html(name)}` : `, ${steps.length} resources`;
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const named = others.length === 0 ? "" : `${names.slice(0, MOST_NAMES).join(", ")}${more}\n\n`;
  const summary = `${operation} ${html(type)}${whose}${counted}`;
  const short = `* ${operation} ${nameSpan(type)} ${firstOf(names)}${counted}`;
  if (lines.length === 0 && names.length <= MOST_NAMES)
    return { whole: `* ${operation} ${nameSpan(type)} ${names.join(", ")}`, short };
  return {
    whole: `<details><summary>${summary}</summary>\n\n${named}${codeBlock(lines.join("\n"), "diff")}\n\n</details>`,
    short,
  };
}
