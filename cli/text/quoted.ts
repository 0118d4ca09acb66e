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

/**
 * Any text as a literal. The only way by which a text of a server becomes code of HCL: its templates begin with `${` and `%{`, and it
 * knows fewer escapes than JSON.
 */
export function hclQuoted(text: string): string {
  return withoutTemplates(doubleQuoted(text).replace(/\\./g, (pair) => ESCAPES[pair] ?? pair));
}

const ESCAPES: Readonly<Record<string, string>> = { "\\b": "\\u0008", "\\f": "\\u000c" };

/** A sign before another one of its kind has no escape that every reader of HCL takes alike: it stands as its number. */
function withoutTemplates(text: string): string {
  return text.replace(/([$%])\{|([$%])(?=[$%]\{)/g, (_, opening: string, before: string) =>
    opening === undefined ? `\\u00${before.charCodeAt(0).toString(16)}` : `${opening}${opening}{`,
  );
}
