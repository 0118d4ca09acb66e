const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** Prints a string as Go's `%q` does, or as `%+q`, which escapes all that is not ASCII. */
export function goQuoted(text: string, { ascii = false }: { ascii?: boolean } = {}): string {
  const escaped = Array.from(text, (character) => {
    const short = shortEscapes[character];
    if (short !== undefined) return short;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
    if (ascii && code > 0x7f) return unicodeEscape(code);
    return /[\p{C}\p{Z}]/u.test(character) && character !== " " ? unicodeEscape(code) : character;
  });
  return `"${escaped.join("")}"`;
}

function unicodeEscape(code: number): string {
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
