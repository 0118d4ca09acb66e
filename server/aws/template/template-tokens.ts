import { TemplateFailure, unsupported } from "./template-failure";

export interface Token {
  /** `error` is where reading ends: Go's parser finds its own errors before that first. */
  readonly kind: "word" | "field" | "dot" | "string" | "int" | "pipe" | "open" | "close" | "error";
  readonly text: string;
  readonly at: number;
  readonly failure?: Error;
}

/** A template cut into its texts and the tokens of its actions. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "action"; readonly tokens: readonly Token[]; readonly line: number };

const patterns: readonly (readonly [Token["kind"], RegExp])[] = [
  ["string", /"(?:[^"\\\n]|\\[^\n])*"|`[^`]*`/y],
  ["int", /[+-]?(?:0|[1-9]\d*)(?![\w.])/y],
  ["field", /(?:\.[A-Za-z_]\w*)+/y],
  ["dot", /\.(?=[\s|()]|-?\}\})/y],
  ["word", /[A-Za-z_]\w*/y],
  ["pipe", /\|/y],
  ["open", /\(/y],
  ["close", /\)/y],
];

export function templatePieces(source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trimNext = false;
  while (at < source.length) {
    const open = source.indexOf("{{", at);
    const end = open < 0 ? source.length : open;
    const trimsBefore = open >= 0 && /^-\s/.test(source.slice(open + 2, open + 4));
    let text = source.slice(at, end);
    if (trimNext) text = text.trimStart();
    if (trimsBefore) text = text.trimEnd();
    if (text !== "") pieces.push({ kind: "text", text });
    if (open < 0) break;
    const action = actionAt(source, open + (trimsBefore ? 3 : 2));
    if (action.tokens !== undefined) {
      pieces.push({ kind: "action", tokens: action.tokens, line: lineAt(source, open) });
    }
    at = action.end;
    trimNext = action.trimsAfter;
  }
  return pieces;
}

interface Action {
  /** `undefined` for a comment. */
  readonly tokens: readonly Token[] | undefined;
  readonly end: number;
  readonly trimsAfter: boolean;
}

function actionAt(source: string, start: number): Action {
  const comment = /\s*\/\*[\s\S]*?\*\/(\s-)?\}\}/y;
  comment.lastIndex = start;
  const commented = comment.exec(source);
  if (commented !== null) {
    return { tokens: undefined, end: comment.lastIndex, trimsAfter: commented[1] !== undefined };
  }
  const tokens: Token[] = [];
  const stopped = (at: number, why: string | Error): Action => {
    const failure = typeof why === "string" ? new TemplateFailure(why, { line: lineAt(source, at) }) : why;
    tokens.push({ kind: "error", text: "", at, failure });
    return { tokens, end: source.length, trimsAfter: false };
  };
  let at = start;
  let depth = 0;
  for (;;) {
    const blank = /^\s*/.exec(source.slice(at))?.[0] ?? "";
    at += blank.length;
    const trimsAfter = blank !== "" && source.startsWith("-}}", at);
    if (trimsAfter || source.startsWith("}}", at)) {
      if (depth > 0) return stopped(at, "unclosed left paren");
      return { tokens, end: at + (trimsAfter ? 3 : 2), trimsAfter };
    }
    if (at >= source.length) return stopped(at, "unclosed action");
    const token = tokenAt(source, at);
    if (token === undefined) return stopped(at, unreadable(source, at));
    if (token.kind === "open") depth += 1;
    if (token.kind === "close" && depth-- === 0) return stopped(at, "unexpected right paren");
    tokens.push(token);
    at += token.text.length;
    const isName = token.kind === "word" || token.kind === "field";
    if (isName && !/^(?:[\s|()]|\}\}|$)/.test(source.slice(at))) {
      return stopped(at, source.charAt(at) === "." ? unsupported("fields of values") : badCharacter(source, at));
    }
  }
}

function tokenAt(source: string, at: number): Token | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return { kind, text, at };
  }
  return undefined;
}

function unreadable(source: string, at: number): Error {
  const character = source.charAt(at);
  const line = lineAt(source, at);
  if (character === '"') return new TemplateFailure("unterminated quoted string", { line });
  if (character === "`") return new TemplateFailure("unterminated raw quoted string", { line });
  if (/[$:=,'\d+-]/.test(character)) return unsupported(`"${character}"`);
  if (/[ -~]/.test(character)) return new TemplateFailure(`unexpected "${character}" in command`, { line });
  const text = `unrecognized character in action: ${codePoint(source, at)} '${character}'`;
  return new TemplateFailure(text, { line });
}

function badCharacter(source: string, at: number): Error {
  const text = `bad character ${codePoint(source, at)} '${source.charAt(at)}'`;
  return new TemplateFailure(text, { line: lineAt(source, at) });
}

function codePoint(source: string, at: number): string {
  return `U+${(source.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function lineAt(source: string, at: number): number {
  return source.slice(0, at).split("\n").length;
}
