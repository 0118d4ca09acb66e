import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * A line `// @covers <section> > <row>` above a test, a group of tests, or a row of a table of tests. It is not one of vitest's
 * own tags: a recorded step and a field of a case file have no options, and vitest's configuration would have to list every row.
 */
export interface Tag {
  /** Section and row: `jwt: Role > max_age`. */
  readonly row: string;
  /** Below `test/`. */
  readonly file: string;
  readonly line: number;
  /** The titles of the groups around the test, and its own; none when no test is below the tag. */
  readonly titles: readonly string[];
}

/** Ends where the test begins: there may be more tags, and other comments, between. */
const TAG = /^.*@covers (.+)\n(?=((?: *\/\/.*\n)* *))/gm;

/** What defines a test or a group of them; what is skipped defines none. */
const DEFINES = /^(it|test|describe|describeWhere|forEveryPairing|(\w+\.)?promise)\b(?!\.(skip|todo)\b)/;

/** All tags below a folder of tests, by file and line. */
export function readTags(folder: string): readonly Tag[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.m?ts$/.test(name));
  // The tests of this folder speak about tags, and have none.
  const files = names.filter((name) => !name.startsWith("coverage")).sort();
  return files.flatMap((name) => tagsIn(name, readFileSync(join(folder, name), "utf8")));
}

/** What the test is called: its file without the ending, and its titles; a step of a recorded exchange begins with `wire`. */
export function testName({ file, titles }: Tag): string {
  const place = file.replace(/(\.test)?\.m?ts$/, "").replace(/^wire\/scenarios\/(\w+)\//, "wire $1-");
  return [place, ...titles].join(" > ");
}

/** Reads them from the syntax: running the tests would take minutes. */
export function tagsIn(file: string, code: string): readonly Tag[] {
  const tags = [...code.matchAll(TAG)];
  if (tags.length === 0) return [];
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  return tags.map(({ 0: text, 1: row = "", 2: between = "", index }) => {
    const node = nodeAt(source, index + text.length + between.length);
    const title = node && titleOf(node);
    const line = source.getLineAndCharacterOfPosition(index).line + 1;
    return { row, file, line, titles: node === undefined || title === undefined ? [] : [...groupsOf(node), title] };
  });
}

/** The outermost node that begins there. */
function nodeAt(within: ts.Node, start: number): ts.Node | undefined {
  return ts.forEachChild(within, (child) => {
    if (child.getStart() === start) return child;
    return child.pos <= start && start < child.end ? nodeAt(child, start) : undefined;
  });
}

function titleOf(node: ts.Node): string | undefined {
  if (ts.isExpressionStatement(node)) return definedTitle(node.expression);
  const isRow = ts.isArrayLiteralExpression(node.parent) || ts.isObjectLiteralExpression(node.parent);
  return isRow ? rowTitle(node) : undefined;
}

/** The title of a call that defines a test or a group. */
function definedTitle(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !DEFINES.test(node.expression.getText())) return undefined;
  const isText = (each: ts.Node) => ts.isStringLiteralLike(each) || ts.isTemplateExpression(each);
  const text = node.arguments.slice(0, 2).findLast(isText);
  if (text === undefined || node.arguments.length < 2) return undefined;
  return ts.isStringLiteralLike(text) ? text.text : text.getText().slice(1, -1);
}

/** A row is called by its name, its `title` or its first text. One that gives a reason says why it is not tested. */
function rowTitle(node: ts.Node): string | undefined {
  const row = ts.isPropertyAssignment(node) ? node.initializer : node;
  const members = ts.isObjectLiteralExpression(row) ? row.properties : [];
  if (members.some(({ name }) => name?.getText() === "reason")) return undefined;
  if (ts.isPropertyAssignment(node)) return node.name.getText();
  return firstText(members.find(({ name }) => name?.getText() === "title") ?? row);
}

function firstText(node: ts.Node): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : ts.forEachChild(node, firstText);
}

function groupsOf({ parent }: ts.Node): readonly string[] {
  if (ts.isSourceFile(parent)) return [];
  const title = definedTitle(parent);
  return [...groupsOf(parent), ...(title === undefined ? [] : [title])];
}
