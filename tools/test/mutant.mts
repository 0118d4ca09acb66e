import ts from "typescript";

/** A source that is wrong in one place. */
export interface Mutant {
  readonly file: string;
  /** The file, the line, and what has become of what. */
  readonly place: string;
  readonly text: string;
}

const operators: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "<": ">=",
  ">": "<=",
  "<=": ">",
  ">=": "<",
  "+": "-",
};

/** Every mutant of a source, in the order of their places. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const look = (node: ts.Node): void => {
    // What is only about types changes no behaviour.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    const [changed, now] = changeOf(node, source) ?? [];
    if (changed !== undefined && now !== undefined) {
      const [start, end] = [changed.getStart(source), changed.getEnd()];
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      const was = text.slice(start, end).replace(/\s+/g, " ").slice(0, 50);
      mutants.push({
        file,
        place: `${file}:${line} ${was} → ${now === "" ? "nothing" : now.replace(/\s+/g, " ").slice(0, 50)}`,
        text: text.slice(0, start) + now + text.slice(end),
      });
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return mutants;
}

/** The node to change, and what stands there then. */
function changeOf(node: ts.Node, source: ts.SourceFile): readonly [ts.Node, string] | undefined {
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    return [condition, `!(${condition.getText(source)})`];
  }
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [node, ";"];
  if (ts.isBinaryExpression(node)) {
    const other = operators[node.operatorToken.getText(source)];
    return other === undefined ? undefined : [node.operatorToken, other];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [node, "false"];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [node, "true"];
  if (ts.isNumericLiteral(node)) return [node, String(Number(node.text.replaceAll("_", "")) + 1)];
  const isName = ts.isPropertyAssignment(node.parent ?? node) && (node.parent as ts.PropertyAssignment).name === node;
  if (ts.isStringLiteral(node) && !isName && !ts.isExportDeclaration(node.parent))
    return [node, JSON.stringify(`${node.text}!`)];
  return undefined;
}
