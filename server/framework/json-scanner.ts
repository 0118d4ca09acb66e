import { JsonFailure } from "./json-failure";

interface Token {
  readonly value: string;
  readonly end: number;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids these in a string
const plainRun = /[^"\\\0-\x1f]*/y;

/** Reads the JSON string that begins at `start` (its opening quote). */
export function scanString(text: string, start: number): Token {
  let value = "";
  let at = start + 1;
  for (;;) {
    plainRun.lastIndex = at;
    plainRun.exec(text);
    value += text.slice(at, plainRun.lastIndex);
    at = plainRun.lastIndex;
    const character = text[at] ?? "";
    if (character === '"') return { value, end: at + 1 };
    if (character !== "\\") throw invalid(character, "in string literal");
    const letter = text[at + 1] ?? "";
    if (letter === "u") {
      value += scanUnicodeEscape(text, at + 2);
      at += 6;
      continue;
    }
    const plain = escapes[letter];
    if (plain === undefined) throw invalid(letter, "in string escape code");
    value += plain;
    at += 2;
  }
}

function scanUnicodeEscape(text: string, start: number): string {
  for (let at = start; at < start + 4; at += 1) {
    if (!/[0-9a-fA-F]/.test(text[at] ?? "")) throw invalid(text[at] ?? "", "in \\u hexadecimal character escape");
  }
  return String.fromCharCode(Number.parseInt(text.slice(start, start + 4), 16));
}

const numberGrammar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Reads the JSON number that begins at `start`; its text is kept as written. */
export function scanNumber(text: string, start: number): Token {
  numberGrammar.lastIndex = start;
  const match = numberGrammar.exec(text)?.[0];
  if (match === undefined) throw invalid(text[start + 1] ?? "", "in numeric literal");
  const end = start + match.length;
  const next = text[end] ?? "";
  if (next === "." && !/[.eE]/.test(match))
    throw invalid(text[end + 1] ?? "", "after decimal point in numeric literal");
  if (/[eE]/.test(next) && !/[eE]/.test(match)) {
    const signed = /[+-]/.test(text[end + 1] ?? "") ? 2 : 1;
    throw invalid(text[end + signed] ?? "", "in exponent of numeric literal");
  }
  return { value: match, end };
}

/** A character as Go's error texts quote it: by its first byte when it is not ASCII. */
export function goCharacter(character: string): string {
  if (character === "'") return "'\\''";
  const named: Readonly<Record<string, string>> = { "\n": "'\\n'", "\r": "'\\r'", "\t": "'\\t'", "\\": "'\\\\'" };
  const [byte = 0] = Buffer.from(character);
  if (byte < 0x20) return named[character] ?? `'\\x${byte.toString(16).padStart(2, "0")}'`;
  return named[character] ?? `'${String.fromCharCode(byte)}'`;
}

function invalid(character: string, place: string): JsonFailure {
  return new JsonFailure(character === "" ? "unexpected EOF" : `invalid character ${goCharacter(character)} ${place}`);
}
