import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(__dirname, "../..");

/** The one file there that reads no answers, but configuration. */
const CONFIGURATION = "provider/engine/settings.ts";

export interface Comparisons {
  /** `status === 404`, whatever the status is a member of. */
  readonly statuses: readonly { readonly file: string; readonly status: number }[];
  /** Regular expressions. */
  readonly patterns: readonly { readonly file: string; readonly source: string }[];
}

/** What the code in some folders compares with: found in the code, so that nothing new stays unseen. */
export function comparisonsIn(folders: readonly string[]): Comparisons {
  const files = folders.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
  const found = files.filter((file) => file !== CONFIGURATION).flatMap(literalsIn);
  return {
    statuses: found.flatMap(({ file, literal }) => (typeof literal === "number" ? [{ file, status: literal }] : [])),
    patterns: found.flatMap(({ file, literal }) => (typeof literal === "string" ? [{ file, source: literal }] : [])),
  };
}

function literalsIn(file: string): { file: string; literal: number | string }[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest);
  const found: { file: string; literal: number | string }[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, literal: /^\/(.*)\/\w*$/.exec(node.text)?.[1] ?? "" });
    if (ts.isBinaryExpression(node) && isEquality(node) && ts.isNumericLiteral(node.right)) {
      if (/\bstatus$/.test(node.left.getText(source))) found.push({ file, literal: Number(node.right.text) });
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

function isEquality({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;
}
