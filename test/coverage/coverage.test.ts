import { describe, expect, it } from "vitest";
import type { Fields } from "../../provider/core/field.ts";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { endpoints } from "../wire/endpoints.ts";
import { sections } from "./index.ts";
import { outline } from "./outline.ts";
import { evidenceProblem, isNamed, testProblem } from "./reference-problem.ts";
import type { Row, Subject } from "./section.ts";
import { titlesOf } from "./test-titles.ts";

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
    const ofDocuments = Object.entries(sections).filter(([section]) => !section.startsWith("+"));
    const listed = Object.fromEntries(ofDocuments.map(([section, { rows }]) => [section, Object.keys(rows)]));
    expect(listed).toEqual(outline);
  });

  it.each(Object.entries(sections))(
    "%s: has tests that are there, and says how real servers are known",
    (_, { rows }) => {
      const problems = Object.entries(rows).flatMap(([name, row]) =>
        rowProblems(row).map((each) => `${name}: ${each}`),
      );
      expect(problems).toEqual([]);
    },
  );
});

describe("everything that the provider sends or shows", () => {
  it.each(wireNames)("%s: every name on the wire has a row", (subject, names) => {
    const own = Object.values(sections).filter(({ of }) => of.includes(subject));
    const known = own.flatMap(({ rows }) => Object.keys(rows));
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("every endpoint has a row", () => {
    const known = Object.values(sections).flatMap(({ rows }) => Object.keys(rows).map(unnamed));
    const asked = endpoints().map(({ method, path }) => unnamed(`${method} ${path.replace(/\?(?!list=).*/, "")}`));
    expect(asked.length).toBeGreaterThan(40);
    expect(asked.filter((endpoint) => !known.includes(endpoint))).toEqual([]);
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

function rowProblems({ tests, evidence }: Row): string[] {
  return [
    ...(tests.some(isAlwaysRun) ? tests.flatMap((test) => testProblem(test) ?? []) : ["names no test of every run"]),
    ...(evidence.length === 0
      ? ["says nothing of its source"]
      : evidence.flatMap((each) => evidenceProblem(each) ?? [])),
  ];
}

/** Real servers and browsers are not everywhere. */
function isAlwaysRun(test: string): boolean {
  return !/^(live|browser)\//.test(test);
}

/** An endpoint whatever its placeholders are called. */
function unnamed(endpoint: string): string {
  return endpoint.replace(/\{\w+\}/g, "{}");
}
