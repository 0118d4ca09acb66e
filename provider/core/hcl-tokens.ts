import type { HclNumber } from "./hcl-body";
import { UnreadableText } from "./unreadable-text";

/** A word of HCL. The kinds of one character are punctuation. */
export interface HclToken {
  readonly kind: "word" | "text" | "lines" | "number" | "boolean" | "{" | "}" | "[" | "]" | "=" | "," | "end";
  /** As it is written. */
  readonly raw: string;
  /** The value of a text, number or boolean. */
  readonly value: string | boolean | HclNumber;
  readonly at: number;
}

const PUNCTUATION = ["{", "}", "[", "]", "=", ","] as const;
const WORD = /[\p{L}_][\p{L}\p{Nd}_.-]*/uy;
const NUMBER = /-?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)|\.\d+(?:[eE][-+]?\d+)?/y;
const BLANKS = [/[ \t\n\r]+/y, /(?:#|\/\/)[^\n]*/y, /\/\*[\s\S]*?\*\//y];

/**
 * The tokens of a text in the first version of HCL, which policies are written in, one after the other. Line ends are those of
 * Unix: `\r\n` is replaced before.
 */
export function hclTokens(text: string): () => HclToken {
  let at = 0;
  const taken = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const token = (kind: HclToken["kind"], start: number, value: HclToken["value"] = ""): HclToken => ({
    kind,
    raw: text.slice(start, at),
    value,
    at: start,
  });
  return () => {
    while (BLANKS.some((blank) => taken(blank) !== undefined));
    const start = at;
    const next = text[at];
    if (next === undefined) return token("end", start);
    const mark = PUNCTUATION.find((each) => each === next);
    if (mark !== undefined) {
      at++;
      return token(mark, start);
    }
    if (next === '"' || next === "<") {
      const { end, value } = next === "<" ? heredoc(text, start) : quoted(text, start);
      at = end;
      return token(next === "<" ? "lines" : "text", start, value);
    }
    const word = taken(WORD);
    if (word !== undefined) {
      const isBoolean = word === "true" || word === "false";
      return token(isBoolean ? "boolean" : "word", start, isBoolean ? word === "true" : word);
    }
    const number = taken(NUMBER);
    if (number !== undefined) return token("number", start, numberOf(number, start));
    throw new UnreadableText(start, text.startsWith("/*", start) ? "the comment does not end" : "illegal character");
  };
}

/** What a token is made of beside its kind, and where the next one begins. */
interface Taken {
  readonly value: string;
  readonly end: number;
}

/** A text in quotes. What is inside `${…}`, quotes included, stays as it is written. */
function quoted(text: string, start: number): Taken {
  return unquoted(text, start, (at) => (text[at] === "$" ? interpolated(text, at) : escaped(text, at)));
}

/** A text in quotes of JSON, which has the escapes of HCL there, not those of the standard. */
export function quotedJson(text: string, start: number): Taken {
  return unquoted(text, start, (at) => (text[at] === "$" ? { value: "$", end: at + 1 } : escaped(text, at, true)));
}

function unquoted(text: string, start: number, special: (at: number) => Taken | undefined): Taken {
  let value = "";
  let at = start + 1;
  for (;;) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0] ?? "";
    value += plain;
    at += plain.length;
    if (text[at] === '"') return { value: joined(value), end: at + 1 };
    const next = text[at] === "$" || text[at] === "\\" ? special(at) : undefined;
    if (next === undefined) throw new UnreadableText(start, "the text in quotes does not end");
    value += next.value;
    at = next.end;
  }
}

const PLAIN = /[^"\\$\n]*/y;

function interpolated(text: string, start: number): Taken | undefined {
  if (text[start + 1] !== "{") return { value: "$", end: start + 1 };
  let braces = 1;
  let at = start + 2;
  for (; at < text.length && braces > 0; at++) braces += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
  return braces === 0 ? { value: text.slice(start, at), end: at } : undefined;
}

const LETTERS: Readonly<Record<string, string>> = { a: "\u0007", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const ESCAPE = /\\(?:([abfnrtv])|(["\\])|([0-3][0-7]{2})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(00[01][0-9a-fA-F]{5}))/y;

function escaped(text: string, start: number, isJson = false): Taken {
  ESCAPE.lastIndex = start;
  const found = ESCAPE.exec(text);
  if (found === null) throw new UnreadableText(start, "unknown escape in a text");
  const [whole, letter, itself, octal, byte, four, eight] = found;
  const code = Number.parseInt(octal ?? byte ?? four ?? eight ?? "0", octal === undefined ? 16 : 8);
  if (code > 0x10_ffff) throw new UnreadableText(start, "unknown escape in a text");
  const end = start + whole.length;
  const isByte = octal !== undefined || byte !== undefined;
  if (isByte && code > 0x7f) return { value: String.fromCharCode(BYTE + code), end };
  const character = String.fromCodePoint(code);
  if (isJson && !character.isWellFormed())
    throw new UnreadableText(start, "has half a character as an escape, which the server does not read in JSON");
  const value = letter === undefined ? (itself ?? character.toWellFormed()) : LETTERS[letter];
  return { value: value ?? "", end };
}

/** A byte that is no character by itself stands as half a surrogate, which no text has otherwise. */
const BYTE = 0xdc00;

/** With the bytes that are characters together. Others stay, so that they differ from every character. */
function joined(value: string): string {
  return value.replace(/[\udc80-\udcff]+/gu, (halves) => {
    const bytes = Uint8Array.from(halves, (half) => half.charCodeAt(0) - BYTE);
    const text = Buffer.from(bytes).toString();
    return text.includes("\ufffd") ? halves : text;
  });
}

/** A text of several lines, `<<MARK` to `MARK`. With `<<-`, the indentation of the last line is taken off every line. */
function heredoc(text: string, start: number): Taken {
  HEREDOC.lastIndex = start;
  const [head, dash, mark = ""] = HEREDOC.exec(text) ?? [];
  if (head === undefined) throw new UnreadableText(start, "a text of several lines begins with <<MARK");
  const lines: string[] = [];
  for (let at = start + head.length; ; ) {
    const end = text.indexOf("\n", at);
    if (end < 0) throw new UnreadableText(start, `the text does not end: there is no line ${JSON.stringify(mark)}`);
    const line = text.slice(at, end);
    at = end + 1;
    const indent = line.slice(0, Math.max(0, line.length - mark.length));
    // The server counts the dash as a part of the mark when it looks for the last line.
    const isLast = line.endsWith(mark) && /^\s*$/.test(indent) && line.length >= mark.length + (dash ?? "").length;
    if (!isLast) {
      lines.push(line);
      continue;
    }
    const content = lines.map((each) => `${each}\n`).join("");
    if (!dash) return { value: content + indent, end: at };
    const isIndented = lines.every((each) => each.startsWith(indent));
    const unindented = lines.map((each) => `${each.slice(indent.length)}\n`).join("");
    return { value: isIndented ? unindented : content, end: at };
  }
}

const HEREDOC = /<<(-?)([\p{L}\p{Nd}_]+)\n/uy;

function numberOf(written: string, at: number): HclNumber {
  if (/^-?0\d*[89]\d*$/.test(written)) throw new UnreadableText(at, "illegal octal number");
  const octal = /^(-?)0(\d+)$/.exec(written);
  const value = octal ? Number.parseInt(octal[1] + (octal[2] ?? ""), 8) : Number(written.replace(/^-0x/i, "0x"));
  return { written, value: /^-0x/i.test(written) ? -value : value };
}
