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

/** Reads the JSON string that begins at `start` (its opening quote). */
export function scanString(text: string, start: number): Token {
  let value = "";
  let at = start + 1;
  for (;;) {
    const character = text[at];
    if (character === undefined) throw new JsonFailure("malformed JSON, unclosed containers", "limiter");
    if (character === '"') return { value, end: at + 1 };
    if (character < " ") throw invalid(goCharacter(character), "in string literal");
    if (character !== "\\") {
      value += character;
      at += 1;
      continue;
    }
    const letter = text[at + 1] ?? "";
    if (letter === "u") {
      value += scanUnicodeEscape(text, at + 2);
      at += 6;
      continue;
    }
    const plain = escapes[letter];
    if (plain === undefined) throw invalid(`'${letter}'`, "in string escape code");
    value += plain;
    at += 2;
  }
}

function scanUnicodeEscape(text: string, start: number): string {
  const digits = text.slice(start, start + 4);
  const wrong = Array.from(digits).find((digit) => !/[0-9a-fA-F]/.test(digit));
  if (wrong !== undefined) throw invalid(`'${wrong}'`, "in \\u hexadecimal character escape");
  if (digits.length < 4) throw new JsonFailure("malformed JSON, unclosed containers", "limiter");
  return String.fromCharCode(Number.parseInt(digits, 16));
}

const numberGrammar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Reads the JSON number that begins at `start`; its text is kept as written. */
export function scanNumber(text: string, start: number): Token {
  numberGrammar.lastIndex = start;
  const match = numberGrammar.exec(text)?.[0];
  if (match === undefined) throw invalid(`'${text[start + 1] ?? ""}'`, "in numeric literal");
  const end = start + match.length;
  const next = text[end] ?? "";
  if (/\d/.test(next)) throw invalid(`'${next}'`, "after top-level value");
  if (next === "." || next === "e" || next === "E") {
    const place = next === "." ? "after decimal point in numeric literal" : "in exponent of numeric literal";
    throw invalid(`'${text[end + 1] ?? ""}'`, place);
  }
  return { value: match, end };
}

function invalid(character: string, place: string): JsonFailure {
  return new JsonFailure(`invalid character ${character} ${place}`, "limiter");
}

function goCharacter(character: string): string {
  const named: Readonly<Record<string, string>> = { "\n": "'\\n'", "\r": "'\\r'", "\t": "'\\t'" };
  return named[character] ?? `'\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}'`;
}
