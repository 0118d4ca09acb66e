/**
 * Removes the white space between the tokens of a JSON text and nothing else: key order and escapes stay.
 * Answers `undefined` for a text that is not JSON.
 */
export function compactJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, (_match, quoted: string | undefined) => quoted ?? "");
}
