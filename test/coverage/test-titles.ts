import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const folder = join(__dirname, "..");

/** What defines a test or a group of them; what is skipped defines none. */
const DEFINES = /^(it|test|describe|describeWhere|forEveryPairing|(\w+\.)?promise)\b(?!\.(skip|todo)\b)/;

/** What a test or a group is called. A table may fill gaps in it with its texts. */
export interface Title {
  readonly text: string;
  readonly fills: ReadonlySet<string>;
}

/** The titles of the groups around a test or a group, and its own. */
export type TitlePath = readonly Title[];

const known = new Map<string, readonly TitlePath[]>();
let imported: ReadonlySet<string> | undefined;

/**
 * What the tests in a file below `test/` are called; undefined when there is no such file. It may be one that other files
 * of tests use; one that none uses has no tests.
 */
export function titlesIn(name: string): readonly TitlePath[] | undefined {
  const path = [`${name}.test.ts`, `${name}.ts`].map((file) => join(folder, file)).find((file) => existsSync(file));
  if (path === undefined) return undefined;
  imported ??= importedFiles();
  if (!path.endsWith(".test.ts") && !imported.has(path)) return [];
  const titles = known.get(path) ?? titlesOf(readFileSync(path, "utf8"));
  known.set(path, titles);
  return titles;
}

function importedFiles(): ReadonlySet<string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const imports = names.flatMap((name) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, name), "utf8"), true, true);
    return importedFiles.map(({ fileName }) => join(dirname(join(folder, name)), fileName.replace(/(\.ts)?$/, ".ts")));
  });
  return new Set(imports);
}

/** Reads them from the syntax: running the tests would take minutes. */
export function titlesOf(code: string): readonly TitlePath[] {
  const source = ts.createSourceFile("titles.ts", code, ts.ScriptTarget.Latest, true);
  const found: TitlePath[] = [];
  const look = (node: ts.Node, around: TitlePath): void => {
    const text = titleOf(node);
    const path = text === undefined ? around : [...around, { text, fills: fillsOf(node) }];
    if (text !== undefined) found.push(path);
    ts.forEachChild(node, (child) => look(child, path));
  };
  look(source, []);
  return found;
}

/** A test is a call with a title and what to do, or a row of a table that has both. */
function titleOf(node: ts.Node): string | undefined {
  if (ts.isObjectLiteralExpression(node)) {
    const member = (name: string) => node.properties.find((each) => each.name?.getText() === name);
    const title = member("title");
    const what = member("test") ?? member("one");
    if (what === undefined || title === undefined || !ts.isPropertyAssignment(title)) return undefined;
    return ts.isStringLiteralLike(title.initializer) ? title.initializer.text : undefined;
  }
  if (!ts.isCallExpression(node) || !DEFINES.test(node.expression.getText())) return undefined;
  const isText = (each: ts.Node) => ts.isStringLiteralLike(each) || ts.isTemplateExpression(each);
  const text = node.arguments.slice(0, 2).findLast(isText);
  if (text === undefined || node.arguments.length < 2) return undefined;
  return ts.isStringLiteralLike(text) ? text.text : text.getText().slice(1, -1);
}

/** The texts of the table in `it.each(table)(title, …)`, which may be a constant of the file. */
function fillsOf(node: ts.Node): ReadonlySet<string> {
  const texts = new Set<string>();
  if (!ts.isCallExpression(node) || !ts.isCallExpression(node.expression)) return texts;
  const collect = (part: ts.Node): void => {
    if (ts.isStringLiteralLike(part)) texts.add(part.text);
    if (ts.isNumericLiteral(part)) texts.add(part.text);
    ts.forEachChild(part, collect);
  };
  for (const table of node.expression.arguments) {
    collect(table);
    if (ts.isIdentifier(table)) collect(constantOf(table) ?? table);
  }
  return texts;
}

function constantOf(name: ts.Identifier): ts.Node | undefined {
  const statements = name.getSourceFile().statements.filter(ts.isVariableStatement);
  const declared = statements.flatMap(({ declarationList }) => declarationList.declarations);
  return declared.find((each) => each.name.getText() === name.text);
}
