import type { TrustReport } from "../facts/trust/report";
import { visibleText } from "../text/visible-text";

/** The results for a person: a line for each test. */
export function testText({ tests, untested, notLookedAt = [] }: TrustReport): string {
  const lines = tests.flatMap(({ name, passed, problems }) => [
    `${passed ? "ok    " : "FAILED"}  ${name}`,
    ...problems.map((problem) => `        ${problem}`),
  ]);
  const idle = untested.map(
    ({ mount, role, bound }) => `note    no test shows that ${bound} of role ${role} at auth/${mount} matters`,
  );
  const unseen = notLookedAt.map((sentence) => `note    ${sentence}`);
  const failed = tests.filter(({ passed }) => !passed).length;
  const end = `${tests.length} ${tests.length === 1 ? "test" : "tests"}: ${tests.length - failed} passed, ${failed} failed`;
  return [...lines, ...idle, ...unseen, "", end].map(visibleText).join("\n").concat("\n");
}

/** The results as JUnit's XML, which CI systems show. */
export function junitText({ tests }: TrustReport): string {
  const failures = tests.filter(({ passed }) => !passed).length;
  const cases = tests.map(({ name, problems }) => {
    const [message = ""] = problems;
    const failure =
      problems.length === 0 ? "" : `<failure message="${xml(message)}">${xml(problems.join("\n"))}</failure>`;
    return `    <testcase classname="trust" name="${xml(name)}">${failure}</testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="trust" tests="${tests.length}" failures="${failures}">
${cases.join("\n")}
  </testsuite>
</testsuites>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** Without control characters, most of which XML cannot have. */
function xml(text: string): string {
  const lines = text.split("\n").map(visibleText);
  return lines.join("\n").replace(/[&<>"\n]/g, (each) => ENTITIES[each] ?? "");
}
