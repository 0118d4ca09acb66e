/** A token of HCL, by the name that HCL's own errors give it. */
export type TokenType =
  | "EOF"
  | "ILLEGAL"
  | "IDENT"
  | "NUMBER"
  | "FLOAT"
  | "BOOL"
  | "STRING"
  | "HEREDOC"
  | "LBRACK"
  | "RBRACK"
  | "LBRACE"
  | "RBRACE"
  | "COMMA"
  | "PERIOD"
  | "ASSIGN"
  | "ADD"
  | "SUB";

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Token extends Position {
  readonly type: TokenType;
  /** As it is written. */
  readonly text: string;
}

/** HCL that cannot be read; the message carries Vault's position form `At line:column: …`. */
export class HclFailure extends Error {}

/** Ends in a token `EOF`, which moves on by a column each time it is asked for, as HCL's scanner does. */
export interface Scanner {
  next(): Token;
  /** The last thing that is wrong with the characters; it goes before what the parser finds. */
  failure(): HclFailure | undefined;
}

const punctuation: Readonly<Record<string, TokenType>> = {
  "[": "LBRACK",
  "]": "RBRACK",
  "{": "LBRACE",
  "}": "RBRACE",
  ",": "COMMA",
  "=": "ASSIGN",
  "+": "ADD",
};

/** Reads the tokens of HCL, or of JSON, where a colon stands for the equals sign. */
export function createScanner(text: string, { json = false }: { json?: boolean } = {}): Scanner {
  const characters = Array.from(text.replaceAll("\r\n", "\n"));
  const place = { at: 0, line: 1, column: 0, lastLine: 0 };
  let before = { ...place };
  let failed: HclFailure | undefined;

  const peek = () => characters[place.at] ?? "";
  function read(): string {
    before = { ...place };
    const character = peek();
    place.column += 1;
    if (character === "") return "";
    place.at += 1;
    if (character === "\n") {
      place.lastLine = place.column;
      place.line += 1;
      place.column = 0;
    }
    if (character !== "\0") return character;
    fail("unexpected null character (0x00)");
    return "";
  }
  const unread = () => void Object.assign(place, before);
  const here = (): Position =>
    place.column > 0
      ? { line: place.line, column: place.column }
      : { line: Math.max(1, place.line - 1), column: Math.max(1, place.lastLine) };
  function fail(reason: string): undefined {
    failed = new HclFailure(`${positioned(here())}${reason}`);
  }
  /** Reads on while the characters fit, and stands behind the last of them; at the end it stands one further. */
  function readWhile(fits: (character: string) => boolean): undefined {
    let character = read();
    while (character !== "" && fits(character)) character = read();
    if (character !== "") unread();
  }

  function readComment(first: string): undefined {
    const isBlock = first === "/" && peek() === "*";
    if (!isBlock) {
      if (first === "/" && peek() !== "/") return fail("expected '/' for comment");
      return readWhile((character) => character !== "\n");
    }
    read();
    let last = "";
    for (let character = read(); !(last === "*" && character === "/"); character = read()) {
      if (character === "") return fail("comment not terminated");
      last = character;
    }
  }

  function readEscape(): undefined {
    const kind = read();
    if (kind !== "" && 'abfnrtv\\"'.includes(kind)) return;
    const digits = kind === "x" ? 2 : kind === "u" ? 4 : kind === "U" ? 8 : 0;
    const wanted = digits > 0 ? new RegExp(`^[0-9a-fA-F]{${digits}}`) : /^[0-7]{2}/;
    const isKnown = digits > 0 || /[0-7]/.test(kind);
    const found = isKnown ? wanted.exec(characters.slice(place.at, place.at + 8).join("")) : null;
    if (found === null) return fail("illegal char escape");
    for (const _ of found[0]) read();
  }

  // Quotation marks inside of `${…}` do not end a string.
  function readString(): undefined {
    let braces = 0;
    for (;;) {
      const character = read();
      if (character === "" || (character === "\n" && braces === 0)) return fail("literal not terminated");
      if (character === '"' && braces === 0) return;
      if (braces === 0 && character === "$" && peek() === "{") {
        braces = 1;
        read();
      } else if (braces > 0 && character === "{") braces += 1;
      if (braces > 0 && character === "}") braces -= 1;
      if (character === "\\") readEscape();
    }
  }

  function readHeredoc(): undefined {
    if (read() !== "<") return fail("heredoc expected second '<', didn't see it");
    const start = place.at;
    if (peek() === "-") read();
    let character = read();
    while (isLetter(character) || isDigit(character)) character = read();
    if (character === "") return fail("heredoc not terminated");
    if (character !== "\n") return fail("invalid characters in heredoc anchor");
    const anchor = characters
      .slice(start, place.at - 1)
      .join("")
      .replace(/^-/, "");
    if (anchor === "") return fail("zero-length heredoc anchor");
    for (let line = ""; ; ) {
      const next = read();
      if (next === "") return fail("heredoc not terminated");
      if (next !== "\n") line += next;
      else if (line.trim() === anchor) return;
      else line = "";
    }
  }

  function readNumber(first: string): TokenType {
    const written = first + characters.slice(place.at, place.at + 400).join("");
    const found = /^(?:0[xX][0-9a-fA-F]*|\d+(?:\.\d*)?(?:[eE][-+]?\d*)?)/.exec(written)?.[0] ?? first;
    for (const _ of found.slice(1)) read();
    if (/^0[xX]$/.test(found)) fail("illegal hexadecimal number");
    if (/^0\d+[89]\d*$/.test(found)) fail("illegal octal number");
    return /^\d+$|^0[xX]/.test(found) ? "NUMBER" : "FLOAT";
  }

  function typeOf(first: string, start: number): TokenType | "COMMENT" {
    if (first === "") return "EOF";
    if (isLetter(first)) {
      readWhile((character) => isLetter(character) || isDigit(character) || character === "-" || character === ".");
      const word = characters.slice(start, place.at).join("");
      return word === "true" || word === "false" ? "BOOL" : "IDENT";
    }
    if (/\d/.test(first)) return readNumber(first);
    if (first === '"') {
      readString();
      return "STRING";
    }
    if (first === "<") {
      readHeredoc();
      return "HEREDOC";
    }
    if (first === "." || first === "-") {
      if (!/\d/.test(peek())) return first === "." ? "PERIOD" : "SUB";
      const type = readNumber(first === "-" ? read() : "0");
      return first === "-" ? type : "FLOAT";
    }
    if (!json && (first === "#" || first === "/")) {
      readComment(first);
      return "COMMENT";
    }
    if (json && first === ":") return "ASSIGN";
    const known = json && first === "=" ? undefined : punctuation[first];
    if (known === undefined) {
      fail("illegal char");
      if (json) failed = new HclFailure(`${place.line}:${place.column}: illegal char: ${first}`);
    }
    return known ?? "ILLEGAL";
  }

  function next(): Token {
    for (;;) {
      let first = read();
      while (first !== "" && " \t\n\r".includes(first)) first = read();
      const at = here();
      const start = place.at - (first === "" ? 0 : 1);
      const type = typeOf(first, start);
      if (type !== "COMMENT") return { type, text: characters.slice(start, place.at).join(""), ...at };
      if (failed !== undefined) return { type: "ILLEGAL", text: "", ...at };
    }
  }

  return { next, failure: () => failed };
}

/** The prefix of an error at this place; line 0 is none. */
export function positioned({ line, column }: Position): string {
  return line === 0 ? "At -: " : `At ${line}:${column}: `;
}

function isLetter(character: string): boolean {
  return /^[\p{L}_]$/u.test(character);
}

function isDigit(character: string): boolean {
  return /^\p{Nd}$/u.test(character);
}
