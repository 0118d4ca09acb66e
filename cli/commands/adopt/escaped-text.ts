/** What a reader would not see, or what turns the direction of a line. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800\ufffc]|(?! )\p{Zs}/gu;

/**
 * Any text in double quotes, as JSON, YAML, Python and Go read it. The only way by which a text of a server becomes code of these
 * languages.
 */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, escaped);
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
