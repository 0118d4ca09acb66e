import { describe, expect, it } from "vitest";
import type { Fields } from "../../provider/core/field.ts";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { endpoints } from "../wire/endpoints.ts";
import { sections } from "./index.ts";
import { outline } from "./outline.ts";
import { evidenceProblem, isNamed, testProblem } from "./reference-problem.ts";
import type { Subject } from "./section.ts";
import { titlesOf } from "./test-titles.ts";

const rows = Object.entries(sections).flatMap(([section, { rows }]) =>
  Object.entries(rows).map(([name, row]) => ({ section, name, row })),
);

/** Names on the wire of all that a resource or function sends and shows. */
const wireNames = [
  ...Object.entries(definitions).map(([name, { fields, outputs }]) => [name, { ...fields, ...outputs }] as const),
  ...Object.entries(functions).map(([name, { fields, results }]) => [name, { ...fields, ...results }] as const),
].flatMap(([subject, all]) => {
  const named = Object.entries<Fields[string]>(all).filter(([, { place, wire }]) => place === "body" && wire !== "");
  return named.map(([property, { wire }]) => ({ subject: subject as Subject, property, wire }));
});

describe("every statement of the documents", () => {
  it("has its row, and no other has one", () => {
    const ofDocuments = Object.entries(sections).filter(([section]) => !section.startsWith("+"));
    const listed = Object.fromEntries(ofDocuments.map(([section, { rows }]) => [section, Object.keys(rows)]));
    expect(listed).toEqual(outline);
  });

  it.each(rows)("$section: $name has tests that are there", ({ row }) => {
    expect(row.tests.length).toBeGreaterThan(0);
    expect(row.tests.flatMap((test) => testProblem(test) ?? [])).toEqual([]);
  });

  it.each(rows)("$section: $name says how real servers are known", ({ row }) => {
    expect(row.evidence.length).toBeGreaterThan(0);
    expect(row.evidence.flatMap((each) => evidenceProblem(each) ?? [])).toEqual([]);
  });
});

describe("everything that the provider sends or shows", () => {
  it.each(wireNames)("$wire, $property of $subject, has a row", ({ subject, wire }) => {
    const own = Object.values(sections).filter(({ of }) => of.includes(subject));
    expect(own.filter(({ rows }) => wire in rows)).not.toEqual([]);
  });

  it.each(endpoints())("$method $path has a row", ({ method, path }) => {
    const known = rows.map(({ name }) => unnamed(name));
    expect(known).toContain(unnamed(`${method} ${path.replace(/\?(?!list=).*/, "")}`));
  });
});

describe("a test", () => {
  const titles = titlesOf(`
    describe("a role", () => {
      it("is read", () => {});
      it.skip("is written", () => {});
      it.each(["a name", "no name"])("%s", () => {});
      it.each([["jwt", 204]])("of type %s is %i", () => {});
    });
    const traps = [{ title: "a trap", test() {} }, { title: "no test", reason: "later" }];
  `);

  it.each([
    [["is read"]],
    [["a role", "is read"]],
    [["a role"]],
    [["a role", "%s"]],
    [["no name"]],
    [["of type jwt is 204"]],
    [["of type %s is %i"]],
    [["a trap"]],
  ])("is known as %j", (path) => {
    expect(isNamed(path, titles)).toBe(true);
  });

  it.each([
    [["is readable"]],
    [["another role", "is read"]],
    [["is written"]],
    [["%s"]],
    [["any name"]],
    [["of type oidc is 204"]],
    [["no test"]],
  ])("is not known as %j", (path) => {
    expect(isNamed(path, titles)).toBe(false);
  });

  it.each([
    ["server/no-such-file > x", "test/server/no-such-file.test.ts is not there"],
    ["server/jwt-roles > a role flies", 'test/server/jwt-roles.test.ts has no test "a role flies"'],
    ["server/jwt-roles", '"server/jwt-roles" names no test'],
    ["wire secrets-nothing > x", "nothing is recorded as secrets-nothing"],
    ["wire secrets-jwt-role > x", 'secrets-jwt-role has no step "x"'],
    [
      "wire secrets-transport > ask for help",
      /^secrets-transport > ask for help is no test: the embedded server refuses/,
    ],
  ])("called %s is said to be wrong", (reference, problem) => {
    expect(testProblem(reference)).toMatch(problem);
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
