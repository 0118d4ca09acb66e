import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DriftReport } from "../../cli/facts/drift/report.ts";
import { fitted, LONGEST_COMMENT } from "../../cli/views/comment/fitted.ts";
import { fc } from "../support/fast-check.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { opened, post, report } from "./comment-harness.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const HUGE = 70_000;
/** Texts of any length, of what grows when it is shown: fences, entities, escapes. */
const long = fc
  .tuple(
    fc.constantFrom("a", "`", "<", "\u202e", '"', "a\n", "😀", "\u{e0041}"),
    fc.constantFrom(1, 90, 90, 90, 2000, 2000, 2000, HUGE),
  )
  .map(([unit, count]) => unit.repeat(count));
const aFew = <T>(each: fc.Arbitrary<T>) => fc.array(each, { maxLength: 5 });
/** What is tried in any case: every text is long. */
const HUGE_TEXTS = ["a", "`"].map((unit) => unit.repeat(HUGE));

interface LongStep {
  readonly op: string;
  readonly token: string;
  readonly name: string;
  readonly id: string;
  readonly property: string;
  readonly value: string;
  readonly replacing: readonly string[];
}
const step = fc
  .record({
    op: fc.constantFrom("create", "update", "delete", "replace"),
    token: fc.oneof(
      fc.constant("jwt:Role"),
      fc.constant("sys:AuthMount"),
      long.map((name) => `other:${name}/x`),
    ),
    name: long,
    id: long,
    property: long,
    value: long,
    replacing: aFew(long),
  })
  .map(stepOf);
function stepOf({ op, token, name, id, property, value, replacing }: LongStep): WantedStep {
  const [before, after] = [
    {
      name,
      path: "p",
      mount: "p",
      tokenPolicies: [`admin${value}`],
      [property]: "old",
      boundClaims: { [property]: "*" },
    },
    {
      name,
      path: "p",
      mount: "p",
      tokenPolicies: [`${value}admin`],
      [property]: value,
      boundClaims: { [property]: "*a" },
    },
  ];
  return {
    op,
    token,
    name: name.replaceAll("::", ""),
    id,
    ...(op === "create" ? {} : { before }),
    ...(op === "delete" ? {} : { after: { ...after, boundClaimsType: "glob", tokenTtl: "99h" } }),
    replacing,
    differing: [property],
  };
}
const hugeStep = (text: string) =>
  stepOf({ op: "replace", token: "jwt:Role", name: text, id: text, property: text, value: text, replacing: [text] });
describe("a comment has room", () => {
  it("whatever is long in a preview and in the exceptions: names, types, reasons, values, errors, warnings", async () => {
    const [file, base] = ["exceptions.json", "base.json"].map((name) => join(folderOfTest(), name)) as [string, string];
    writeFileSync(base, "{}");
    const silence = fc.record({
      resource: fc.constant("*"),
      rule: fc.constantFrom("any-token", "leading-glob", "admin-policy", "long-ttl"),
      reason: long,
      expires: fc.constant("2999-01-01"),
    });
    const ignore = fc.record({ resource: long, property: long, reason: long, expires: fc.constant("2999-01-01") });
    const wanted = fc.record({
      steps: fc.array(step, { maxLength: 8 }),
      errors: aFew(long),
      warnings: aFew(long),
      silences: aFew(silence),
      ignores: aFew(ignore),
      stack: long,
    });
    const previewOf = (text: string) => ({
      steps: [hugeStep(text), hugeStep(`${text}b`)],
      errors: [text],
      warnings: [text],
      silences: [{ resource: "*", rule: "long-ttl", reason: text, expires: "2999-01-01" }],
      ignores: [{ resource: text, property: text, reason: text, expires: "2999-01-01" }],
      stack: text,
    });
    await fc.assert(
      fc.asyncProperty(wanted, async ({ silences, ignores, stack, ...preview }) => {
        writeFileSync(
          file,
          JSON.stringify({ silence: silences, ignore: ignores.filter(({ reason }) => reason.trim()) }),
        );
        const { code, out } = await runCli(
          ["comment", "--dry-run", "--ignore", file, "--base-ignore", base, "--stack", stack],
          previewJson(preview),
        );
        expect(code).toBe(0);
        expect(out.length).toBeLessThanOrEqual(LONGEST_COMMENT);
        expect(out).toMatch(/^\*\*Preview of [\s\S]*\n<!-- trustplane:preview:[\w%.!~*'()]+ -->\n$/);
      }),
      { numRuns: 8, examples: HUGE_TEXTS.map((text) => [previewOf(text)]) },
    );
  });

  it("whatever is long in a report of drift", async () => {
    const one: DriftReport = JSON.parse(report("drift", 1));
    const resource = fc.record({ name: long, id: long, type: long, error: long, property: long, actual: long });
    const idle = fc.record({ resource: long, reason: long });
    const wanted = fc.record({
      resources: fc.array(resource, { maxLength: 8 }),
      idle: aFew(idle),
      commands: aFew(long),
      stack: long,
    });
    const reportOf = (text: string) => ({
      resources: [{ name: text, id: text, type: text, error: text, property: text, actual: text }],
      idle: [{ resource: text, reason: text }],
      commands: [text],
      stack: text,
    });
    await fc.assert(
      fc.asyncProperty(wanted, async ({ resources, idle: entries, commands, stack }) => {
        const drifted = {
          ...one,
          stack,
          resources: resources.map(({ property, actual, error, ...each }) => ({
            ...one.resources[0],
            ...each,
            error,
            properties: [{ property, kind: "input", changes: [{ path: property, before: "x", after: actual }] }],
            writeOnly: [{ property, verdict: "changed", reason: error }],
          })),
          unmanaged: resources.map(({ type, id }) => ({ type, id })),
          unlisted: resources.map(({ name, error }) => ({ path: name, reason: error })),
          ignoreFile: entries.map((entry) => ({ ...entry, expires: "2026-01-01", why: "unused" })),
          commands,
        };
        const { code, out } = await runCli(["comment", "--dry-run"], JSON.stringify(drifted));
        expect(code).toBe(0);
        expect(out.length).toBeLessThanOrEqual(LONGEST_COMMENT);
        expect(out).toMatch(/\n<!-- trustplane:drift:[\w%.!~*'()]+ -->\n$/);
      }),
      { numRuns: 8, examples: HUGE_TEXTS.map((text) => [reportOf(text)]) },
    );
  });

  it("of what its own forge takes", async () => {
    const steps = Array.from({ length: 300 }, (_, index) => ({
      op: "update",
      token: "jwt:Role",
      name: `role-${index}`,
      before: { boundSubject: `${index}`.padEnd(900, "a") },
      after: { boundSubject: `${index}`.padEnd(900, "b") },
    }));
    const texts = [];
    for (const kind of ["github", "gitlab"] as const) {
      const { notes } = await opened(kind);
      expect((await post(previewJson({ steps }))).code).toBe(0);
      texts.push(notes.comments[0]?.body ?? "");
    }
    expect(texts[0]).toMatch(/^> \*\*Shortened\*\*/m);
    expect(texts[1]).not.toContain("Shortened");
    expect(texts[1]?.match(/<details>/g)).toHaveLength(300);
  });
});

describe("what is fitted into a length", () => {
  const block = fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 400 }))
    .map(([short, more]) => ({ short: `s${"-".repeat(short)}`, whole: `w${"=".repeat(short + more)}` }));

  it("never exceeds it, keeps head and tail, and accounts for every block once", () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 60 }), fc.integer({ min: 600, max: 6000 }), (blocks, longest) => {
        const text = fitted({ first: "head", blocks, tail: "tail", longest });
        expect(text.length).toBeLessThanOrEqual(longest);
        expect(text).toMatch(/^head\n[\s\S]*\ntail\n$/);
        const [whole, short] = [/^w=/gm, /^s-/gm].map((start) => text.match(start)?.length ?? 0);
        const missing = Number(/(\d+) more are not listed/.exec(text)?.[1] ?? 0);
        expect(Number(whole) + Number(short) + missing).toBe(blocks.length);
        expect(Number(/room for the details of (\d+)/.exec(text)?.[1] ?? 0)).toBe(short);
      }),
      { numRuns: 500 },
    );
  });
});
