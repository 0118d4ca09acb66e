import { TemplateFailure, unsupported } from "./template-failure";
import { functionNames, unsupportedFunctions } from "./template-functions";
import type { CommandNode, OperandNode, PipeNode, TemplateNode } from "./template-nodes";
import { type Piece, type Token, templatePieces } from "./template-tokens";

const unsupportedKeywords = new Set(["range", "with", "define", "block", "template", "break", "continue", "nil"]);

/** @throws TemplateFailure in Go's words; Error for syntax that is missing here. */
export function parseTemplate(source: string): readonly TemplateNode[] {
  const pieces = [...templatePieces(source)];
  const lastLine = source.split("\n").length;
  const { nodes, end } = nodesUntilEnd(pieces);
  if (end !== undefined) throw new TemplateFailure(`unexpected {{${end.word}}}`, { line: end.line });
  return nodes;

  /** The nodes up to an `else` or `end` that belongs to whoever asked for them. */
  function nodesUntilEnd(left: Piece[]): { nodes: TemplateNode[]; end?: End } {
    const nodes: TemplateNode[] = [];
    for (;;) {
      const piece = left.shift();
      if (piece === undefined) return { nodes };
      if (piece.kind === "text") {
        nodes.push(piece);
        continue;
      }
      const [first, ...rest] = piece.tokens;
      const word = first?.kind === "word" ? first.text : "";
      if (unsupportedKeywords.has(word)) throw unsupported(`"${word}"`);
      if (word === "end" || word === "else") {
        const [extra] = rest;
        if (extra !== undefined && extra.text !== "if") {
          throw extra.failure ?? new TemplateFailure(`unexpected "${extra.text}" in ${word}`, { line: piece.line });
        }
        return { nodes, end: { word, rest, line: piece.line } };
      }
      if (word === "if") nodes.push(conditionFrom(left, { tokens: rest, line: piece.line }));
      else nodes.push({ kind: "output", pipe: pipeFrom([...piece.tokens], { line: piece.line, context: "command" }) });
    }
  }

  function conditionFrom(left: Piece[], { tokens, line }: { tokens: readonly Token[]; line: number }): TemplateNode {
    const pipe = pipeFrom([...tokens], { line, context: "if" });
    const branch = nodesUntilEnd(left);
    if (branch.end === undefined) throw new TemplateFailure("unexpected EOF", { line: lastLine });
    if (branch.end.word === "end") return { kind: "if", pipe, body: branch.nodes, otherwise: [] };
    const [next, ...rest] = branch.end.rest;
    if (next?.text === "if") {
      const nested = conditionFrom(left, { tokens: rest, line: branch.end.line });
      return { kind: "if", pipe, body: branch.nodes, otherwise: [nested] };
    }
    const otherwise = nodesUntilEnd(left);
    if (otherwise.end === undefined) throw new TemplateFailure("unexpected EOF", { line: lastLine });
    if (otherwise.end.word === "else") {
      throw new TemplateFailure("expected end; found {{else}}", { line: otherwise.end.line });
    }
    return { kind: "if", pipe, body: branch.nodes, otherwise: otherwise.nodes };
  }
}

interface End {
  readonly word: string;
  readonly rest: readonly Token[];
  readonly line: number;
}

interface Place {
  readonly line: number;
  /** The place that Go's error names when a value is missing. */
  readonly context: string;
}

/** Takes the tokens of one pipeline, up to its closing parenthesis if it has one. */
function pipeFrom(tokens: Token[], place: Place): PipeNode {
  const at = tokens[0]?.at ?? 0;
  const commands: CommandNode[] = [];
  do commands.push(commandFrom(tokens, { ...place, isFirst: commands.length === 0 }));
  while (tokens[0]?.kind === "pipe" && tokens.shift() !== undefined);
  return { kind: "pipe", at, commands };
}

function commandFrom(tokens: Token[], { line, context, isFirst }: Place & { isFirst: boolean }): CommandNode {
  const at = tokens[0]?.at ?? 0;
  const operands: OperandNode[] = [];
  for (
    let token = tokens[0];
    token !== undefined && token.kind !== "pipe" && token.kind !== "close";
    token = tokens[0]
  ) {
    tokens.shift();
    operands.push(operandFrom(token, { tokens, line }));
  }
  const [head] = operands;
  if (head === undefined && isFirst && tokens[0]?.kind === "pipe") {
    throw new TemplateFailure(`unexpected "|" in ${context}`, { line });
  }
  if (head === undefined) throw new TemplateFailure(`missing value for ${isFirst ? context : "command"}`, { line });
  const isLiteral = head.kind === "string" || head.kind === "int" || head.kind === "bool" || head.kind === "dot";
  if (!isFirst && isLiteral) {
    throw new TemplateFailure("non executable command in pipeline stage 2", { line });
  }
  return { at, operands };
}

function operandFrom(token: Token, { tokens, line }: { tokens: Token[]; line: number }): OperandNode {
  const { at, text } = token;
  switch (token.kind) {
    case "error":
      throw token.failure;
    case "open": {
      const pipe = pipeFrom(tokens, { line, context: "parenthesized pipeline" });
      tokens.shift();
      return { ...pipe, at: at + 1 };
    }
    case "string":
      return { kind: "string", at, value: stringValue(text), source: text };
    case "int":
      return { kind: "int", at, value: Number(text), source: text };
    case "field":
      return { kind: "field", at, names: text.slice(1).split(".") };
    case "dot":
      return { kind: "dot", at };
    default:
      if (text === "true" || text === "false") return { kind: "bool", at, value: text === "true" };
      if (unsupportedFunctions.has(text) || unsupportedKeywords.has(text)) throw unsupported(`"${text}"`);
      if (!functionNames.has(text)) throw new TemplateFailure(`function "${text}" not defined`, { line });
      return { kind: "function", at, name: text };
  }
}

function stringValue(source: string): string {
  if (source.startsWith("`")) return source.slice(1, -1);
  try {
    // The escapes that Go and JSON share.
    return JSON.parse(source);
  } catch {
    throw unsupported(`the text ${source}`);
  }
}
