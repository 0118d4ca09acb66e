import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import type { Fields } from "../../provider/core/field.ts";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { endpoints } from "../wire/endpoints.ts";
import { sections } from "./index.ts";
import { outline } from "./outline.ts";
import { evidenceProblem, tagProblem } from "./problems.ts";
import type { Subject } from "./section.ts";
import { readTags, tagsIn, testName } from "./tags.ts";

const tests = join(__dirname, "..");
const tags = readTags(tests);
const rows = Object.entries(sections).flatMap(([section, { rows }]) =>
  Object.entries(rows).map(([name, row]) => ({ name: `${section} > ${name}`, ...row })),
);

/** Names on the wire of all that a resource or function sends and shows. */
const wireNames = [
  ...Object.entries(definitions).map(([name, { fields, outputs }]) => [name, { ...fields, ...outputs }] as const),
  ...Object.entries(functions).map(([name, { fields, results }]) => [name, { ...fields, ...results }] as const),
].map(([name, all]) => {
  const rows = Object.values<Fields[string]>(all);
  // The names are those of the two indexes, which `Object.entries` forgets.
  return [name as Subject, rows.flatMap(({ place, wire }) => (place === "body" && wire !== "" ? [wire] : []))] as const;
});

describe("every statement of the documents", () => {
  it("has its row, and no other has one", () => {
    const ofDocuments = Object.entries(sections).filter(([section]) => !section.startsWith("beyond: "));
    const listed = Object.fromEntries(ofDocuments.map(([section, { rows }]) => [section, Object.keys(rows)]));
    const todo =
      "a section of a document has the rows of test/coverage/outline.ts; what no document has goes to a file beyond-*.ts";
    expect(listed, todo).toEqual(outline);
  });

  it("has tests that carry its tag", () => {
    // Real servers and browsers are not everywhere.
    const always = new Set(tags.filter(({ file }) => !/^(live|browser)\//.test(file)).map(({ row }) => row));
    const without = rows.filter(({ name }) => !always.has(name)).map(({ name }) => name);
    expect(without, "no test of every run has `// @covers` and one of these above it").toEqual([]);
  });

  it("says how real servers are known", () => {
    const live = new Set(tags.filter(({ file }) => file.startsWith("live/")).map(({ row }) => row));
    const without = rows.filter(({ name, evidence }) => evidence.length === 0 && !live.has(name));
    expect(without.map(({ name }) => name)).toEqual([]);
    expect(rows.flatMap(({ evidence }) => evidence.flatMap((each) => evidenceProblem(each) ?? []))).toEqual([]);
  });
});

describe("every tag", () => {
  it("names a row, and is above a test", () => {
    const names = new Set(rows.map(({ name }) => name));
    expect(tags.flatMap((tag) => tagProblem(tag, names) ?? [])).toEqual([]);
  });

  it("is in a file of tests, or in one that another file imports", () => {
    const paths = readdirSync(tests, { recursive: true, encoding: "utf8" }).filter((path) => /\.m?ts$/.test(path));
    const stem = (path: string) => path.replace(/\.m?ts$/, "");
    const importedBy = (path: string) =>
      ts
        .preProcessFile(readFileSync(join(tests, path), "utf8"))
        .importedFiles.map(({ fileName }) => stem(join(dirname(path), fileName)));
    const imported = new Set(paths.flatMap(importedBy));
    const files = tags.map(({ file }) => file).filter((file) => !file.endsWith(".test.ts"));
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !imported.has(stem(file)))).toEqual([]);
  });
});

describe("everything that the provider sends or shows", () => {
  it.each(wireNames)("%s: every name on the wire has a row", (subject, names) => {
    const own = Object.values(sections).filter(({ of }) => of.includes(subject));
    const known = own.flatMap(({ rows }) => Object.keys(rows));
    const todo = `a section of test/coverage whose \`of\` has ${subject} needs a row for each of these`;
    expect(
      names.filter((name) => !known.includes(name)),
      todo,
    ).toEqual([]);
  });

  it("every endpoint has a row", () => {
    const known = Object.values(sections).flatMap(({ rows }) => Object.keys(rows).map(unnamed));
    const asked = endpoints().map(({ method, path }) => unnamed(`${method} ${path.replace(/\?(?!list=).*/, "")}`));
    expect(asked.length).toBeGreaterThan(40);
    const todo =
      "each of these needs a row in test/coverage: in the section Endpoints of its document, or beyond-endpoints.ts";
    expect(
      asked.filter((endpoint) => !known.includes(endpoint)),
      todo,
    ).toEqual([]);
  });
});

describe("a tag", () => {
  const testsUnder = (code: string) =>
    tagsIn("server/x.test.ts", code).map((tag) => [tag.row, tag.titles.length === 0 ? undefined : testName(tag)]);

  it.each([
    ["a test", 'it("is read", () => {});', "is read"],
    ["other tags and comments", '// why\n// @covers b\nit("is read", () => {});', "is read"],
    ["a group", 'describe("a role", () => {});', "a role"],
    ["a table", 'it.each([["a", 1]])("%s is %i", () => {});', "%s is %i"],
    ["a table over several lines", 'it.each([\n["a", 1],\n])("%s is %i", () => {});', "%s is %i"],
    ["a promise", 'suite.promise("x", "is kept", () => {});', "is kept"],
  ])("above %s is that of the test", (_, code, title) => {
    const inGroup = `describe("all", () => {\n  // @covers a\n${code}\n});\n`;
    expect(testsUnder(inGroup)[0]).toEqual(["a", `server/x > all > ${title}`]);
  });

  it.each([
    ["a list", '[\n  "z",\n  // @covers a\n  ["a name", 1],\n]', "a name"],
    ["texts", '[\n  // @covers a\n  "a name",\n]', "a name"],
    ["traps", '[\n  // @covers a\n  { why: "b", title: "a trap", test() {} },\n]', "a trap"],
    ["calls", '[\n  // @covers a\n  ...logins("with a key", {}),\n]', "with a key"],
    ["properties", '{\n  // @covers a\n  maxAge: changed({ maxAge: "2h" }),\n}', "maxAge"],
  ])("above a row of %s is that of the row", (_, code, title) => {
    expect(testsUnder(`const table = ${code};\n`)).toEqual([["a", `server/x > ${title}`]]);
    expect(testsUnder(`it.each(${code})("%s", () => {});\n`)).toEqual([["a", `server/x > %s > ${title}`]]);
  });

  it.each([
    ["a test that is skipped", 'it.skip("is read", () => {});'],
    ["what is no test", 'const title = "is read";'],
    ["a row that says why it is not tested", 'const all = [\n// @covers a\n{ title: "x", reason: "later" }];'],
    ["nothing", ""],
  ])("above %s is a tag of no test", (_, code) => {
    expect(testsUnder(`// @covers a\n${code}\n`)).toContainEqual(["a", undefined]);
    expect(testsUnder(`// @covers a\n${code}\n`)).not.toContainEqual(["a", expect.anything()]);
  });

  it.each([
    ["server/a.test.ts", "jwt: Role > wings", 'test/server/a.test.ts:7: "@covers jwt: Role > wings" names no row'],
    ["server/a.test.ts", "a", 'test/server/a.test.ts:7: "@covers a" is not directly above a test'],
    ["wire/scenarios/secrets/transport.mts", "a", "does not answer as the real one: the embedded server refuses"],
  ])("in %s that names %s is said to be wrong", (file, row, problem) => {
    const titles = file.startsWith("wire/") ? ["ask for help"] : [];
    expect(tagProblem({ row, file, line: 7, titles }, new Set(["a"]))).toContain(problem);
  });

  it.each(["reference jwt 2.3", "reference secrets", "wire secrets-nothing", "somebody said so", "live/functions > x"])(
    "%s is no evidence",
    (evidence) => {
      expect(evidenceProblem(evidence)).toBeDefined();
    },
  );
});

/** An endpoint whatever its placeholders are called. */
function unnamed(endpoint: string): string {
  return endpoint.replace(/\{\w+\}/g, "{}");
}
