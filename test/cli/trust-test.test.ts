import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dangerCases, unplayedCases } from "../support/danger-cases.ts";
import { askedGroupCases, idTokenCases, untoldCases } from "../support/id-token-cases.ts";
import { placeCases } from "../support/place-cases.ts";
import { fileOfTest, folderOfTest } from "../support/temporary-folder.ts";
import { one, stack, trustCases } from "../support/trust-cases.ts";
import { cloudRoleCases, peerCases } from "../support/trust-record-cases.ts";
import { previewJson } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

async function tested(tests: string, steps = stack(), flags: readonly string[] = []) {
  return runCli(["test", fileOfTest("trust.yml", tests), ...flags], previewJson({ steps }));
}

describe("trustplane test", () => {
  it.each([
    ...trustCases,
    ...dangerCases,
    ...idTokenCases,
    ...askedGroupCases,
    ...untoldCases,
    ...unplayedCases,
    ...placeCases,
    ...cloudRoleCases,
    ...peerCases,
  ])("$title", async ({ steps, tests, code, says = [], omits = [] }) => {
    const run = await tested(tests, steps);
    const text = run.out + run.err;
    for (const said of says) expect(text).toMatch(said);
    for (const omitted of omits) expect(text).not.toContain(omitted);
    expect(run.code).toBe(code);
    if (code === 0) expect(run.err).toBe("");
  });

  it.each([
    ["boundAudiences", { boundClaims: undefined }],
    ["boundClaims.ref", { boundAudiences: undefined, boundClaims: { ref: "main" } }],
    ["tokenBoundCidrs", { boundAudiences: undefined, boundClaims: undefined, tokenBoundCidrs: ["127.0.0.0/8"] }],
  ])("names %s, also where it is the only demand of a role", async (bound, changed) => {
    const { code, out, err } = await tested(one("{ policies: [deploy] }"), stack(changed));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(`no test shows that ${bound} of role deploy`);
  });

  it("writes results for programs and for CI systems", async () => {
    const tests = one("refused").replace("name: it", 'name: "<it> & \\"more\\""');
    const file = join(folderOfTest(), "junit.xml");
    const { out } = await tested(tests, stack(), ["--json", "--junit", file]);
    expect(JSON.parse(out)).toMatchObject({ result: "failed", tests: [{ passed: false }] });
    const xml = readFileSync(file, "utf8");
    expect(xml).toContain('name="&lt;it&gt; &amp; &quot;more&quot;"');
    expect(xml).toContain('tests="1" failures="1"');
  });

  it.each([
    ["no file", undefined, /cannot be read/],
    ["a path with a slash before it", one('{ mayNot: { "/secret/x": [read] } }'), /\/secret\/x begins with a slash/],
    ["another form", "tests: [{ name: x, expects: refused }]", /trust\.yml cannot be read: tests\.0.*"expects"/],
    ["a capability that does not exist", one('{ may: { "x": [fly] } }'), /is no capability/],
    ["no YAML", "a: [", /cannot be read/],
    [
      "a claim with an empty list",
      one("refused", "groups: []"),
      /claims\.groups: is an empty list, which stands for no login; write \[\[\]\]/,
    ],
    ["no pattern of a server", one('{ mayNot: { "secret/+*": [read] } }'), /secret\/\+\*.*`\+`/],
    ["a star inside a pattern", one('{ mayNot: { "secret/*/x": [read] } }'), /secret\/\*\/x.*`\*`/],
  ])("ends with 1 for %s", async (_, text, message) => {
    const run =
      text === undefined
        ? await runCli(["test", "/nowhere/trust.yml"], previewJson({ steps: stack() }))
        : await tested(text);
    expect(run.code).toBe(1);
    expect(run.err).toMatch(message);
    expect(run.err.trim().split("\n")).toHaveLength(1);
  });
});
