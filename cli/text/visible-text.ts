/**
 * Characters that are invisible, look like a space, or turn the direction of the text after them. In a review, a text with
 * them looks like another text (CVE-2021-42574). Default_Ignorable_Code_Point is Unicode's list of characters without a
 * glyph; blank ones that it lacks are added. Line breaks and tabs are not included.
 */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800\ufffc\u{1d159}]|(?![\n\t])\p{Cc}|(?! )\p{Zs}/gu;

/** Colours, with which programs and servers decorate messages. Any other sequence for terminals is shown. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const COLOURS = /\u001b\[[0-9;]*m/g;

/**
 * Any text from outside, as it may be shown: without terminal colours, its invisible characters written as `\u202e`.
 * Everything that is printed or put into a comment passes here.
 */
export function visibleText(text: string): string {
  return escaped(text.replace(COLOURS, "").replace(/\r\n/g, "\n"));
}

/** A name or a value in one line. Colours are shown too: without them, two different names could look the same. */
export function visibleLine(text: string): string {
  return escaped(text).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}

/** At most this many characters of a text from outside, visible and in one line. */
export function shortLine(text: string, most: number): string {
  // Escaping only makes a text longer, so the rest is not needed.
  const line = visibleLine(text.slice(0, most + 1));
  if (line.length <= most) return line;
  // Do not cut between the halves of a character.
  return `${line.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`;
}

function escaped(text: string): string {
  return text.replace(INVISIBLE, codeOf);
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
