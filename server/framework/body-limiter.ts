import { JsonFailure } from "./json-failure";

// The limits of Vault 1.21's body limiter.
const maxDepth = 300;
const maxStringBytes = 1024 * 1024;
const maxArrayElements = 10_000;
const maxObjectEntries = 10_000;

interface Container {
  readonly kind: "object" | "array";
  readonly keys: Set<string>;
  entries: number;
}

interface Scan {
  readonly text: string;
  at: number;
  readonly open: Container[];
  /** The last token: `0` for a number or word, `"` for a string, else the character itself. A closing bracket is checked against it. */
  last: string;
}

/**
 * Checks a body as Vault's limiter does before anything decodes it. It is a tokenizer rather than a parser: it checks depth,
 * sizes, repeated keys and closing brackets, and lets other mistakes pass to the decoder.
 * @throws JsonFailure in the limiter's own words
 */
export function limitJson(text: string): void {
  const scan: Scan = { text, at: 0, open: [], last: "" };
  let isDone = false;
  for (;;) {
    skipBlanks(scan);
    const character = scan.text[scan.at];
    if (character === undefined) break;
    if (isDone) throw invalid(character, "after top-level value");
    readToken(scan, character);
    isDone = scan.open.length === 0;
  }
  if (scan.open.length > 0) throw new JsonFailure("malformed JSON, unclosed containers");
}

function readToken(scan: Scan, character: string): void {
  const container = scan.open.at(-1);
  if (character === "{" || character === "[") {
    countElement(container, scan.last);
    scan.open.push({ kind: character === "{" ? "object" : "array", keys: new Set(), entries: 0 });
    if (scan.open.length > maxDepth) throw new JsonFailure("JSON input exceeds allowed nesting depth");
  } else if (character === "}" || character === "]") {
    close(scan, character);
  } else if (character === '"') {
    const isKey = container?.kind === "object" && scan.last !== ":";
    if (!isKey) countElement(container, scan.last);
    const text = readString(scan);
    if (isKey) countKey(container, text);
    scan.last = '"';
    return;
  } else if (character !== "," && character !== ":") {
    countElement(container, scan.last);
    readScalar(scan, character);
    scan.last = "0";
    return;
  }
  scan.at += 1;
  scan.last = character;
}

function close(scan: Scan, character: "}" | "]"): void {
  const container = scan.open.pop();
  if ((container?.kind === "object") !== (character === "}")) {
    throw new JsonFailure(`malformed JSON: mismatched closing delimiter '${character}'`);
  }
  if (scan.last === ",")
    throw invalid(character, character === "}" ? "after object key-value pair" : "after array element");
  if (scan.last === ":") throw invalid(character, "after object key");
}

function countElement(container: Container | undefined, last: string): void {
  if (container?.kind !== "array" || (last !== "," && last !== "[")) return;
  container.entries += 1;
  if (container.entries > maxArrayElements) throw new JsonFailure("JSON array exceeds allowed element count");
}

function countKey(container: Container | undefined, key: string): void {
  if (container === undefined) return;
  if (container.keys.has(key)) throw new JsonFailure(`duplicate key '${key}' in object`);
  container.keys.add(key);
  if (container.keys.size > maxObjectEntries) throw new JsonFailure("JSON object exceeds allowed entry count");
}

function readString(scan: Scan): string {
  const start = scan.at + 1;
  let loneSurrogateEnd = -1;
  for (let at = start; ; at += 1) {
    const character = scan.text[at];
    if (character === undefined) throw new JsonFailure("malformed JSON, unclosed string");
    if (character === '"') {
      if (loneSurrogateEnd === at) throw new JsonFailure("malformed JSON, unterminated surrogate pair in string");
      scan.at = at + 1;
      const raw = scan.text.slice(start, at);
      if (Buffer.byteLength(raw) > maxStringBytes) throw new JsonFailure("JSON string value exceeds allowed length");
      return unescaped(raw);
    }
    if (character !== "\\") continue;
    const isHalf = /^\\u[dD][89abAB]/.test(scan.text.slice(at, at + 4));
    at = endOfEscape(scan.text, at);
    if (isHalf) loneSurrogateEnd = at + 1;
  }
}

function endOfEscape(text: string, start: number): number {
  const letter = text[start + 1];
  if (letter === undefined) throw new JsonFailure("malformed JSON, unclosed string");
  if (letter !== "u") {
    if (!'"\\/bfnrt'.includes(letter)) throw invalid(letter, "in string escape code");
    return start + 1;
  }
  for (let at = start + 2; at < start + 6; at += 1) {
    const digit = text[at];
    if (digit === undefined) throw new JsonFailure("malformed JSON, unclosed string");
    if (!/[0-9a-fA-F]/.test(digit)) throw invalid(digit, "in string escape code");
  }
  return start + 5;
}

// Two spellings of one key are one key. What only the decoder refuses, such as a raw line break, stays as it is.
function unescaped(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

function readScalar(scan: Scan, first: string): void {
  if ("tfn".includes(first)) {
    scan.at += /^[a-z]*/.exec(scan.text.slice(scan.at, scan.at + 16))?.[0].length ?? 1;
    return;
  }
  if (!/[-0-9]/.test(first)) throw invalid(first, "looking for beginning of value");
  const number = /-?\d*(?:\.\d*)?(?:[eE][+-]?\d*)?/y;
  number.lastIndex = scan.at;
  const text = number.exec(scan.text)?.[0] ?? "";
  const zero = /^-?0(\d)/.exec(text)?.[1];
  if (zero !== undefined) throw invalid(zero, "after top-level value");
  // Vault reads numbers as 64-bit floats here, whatever reads them later.
  const isNumber = /\d\.?$/.test(text) && Number.isFinite(Number(text));
  if (!isNumber) throw new JsonFailure(`malformed JSON, invalid number syntax for '${text}'`);
  scan.at += text.length;
}

function skipBlanks(scan: Scan): void {
  while (" \t\r\n".includes(scan.text[scan.at] ?? "x")) scan.at += 1;
}

function invalid(character: string, place: string): JsonFailure {
  return new JsonFailure(`invalid character '${character}' ${place}`);
}
