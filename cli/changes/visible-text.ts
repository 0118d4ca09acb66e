import { stripVTControlCharacters } from "node:util";

/**
 * Characters that a reader does not see, or that turn the direction of what follows: a text with them looks like another
 * one in a review (CVE-2021-42574). Line breaks and tabs are left.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** The text without terminal colours, its invisible characters written as `\u202e`. */
export function visibleText(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n/g, "\n").replace(INVISIBLE, codeOf);
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
