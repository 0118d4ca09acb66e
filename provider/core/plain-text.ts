const [ESC, BEL] = [String.fromCharCode(0x1b), String.fromCharCode(0x07)];
/** What terminals obey: commands with parameters, then those with a text up to their end, then all others. */
const TERMINAL = new RegExp(
  `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]|${ESC}[\\]PX^_][^${ESC}${BEL}]*(?:${BEL}|${ESC}\\\\)|${ESC}[ -/]*[0-~]?`,
  "g",
);

/** The text, or its beginning where it is longer. */
export function cutText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

/** One line without terminal escapes, control characters, direction marks and characters that nobody sees. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
    .replace(TERMINAL, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}
