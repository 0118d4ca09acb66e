import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { isMarked, LONGEST_COMMENT, markerOf } from "../../cli/views/comment/fitted.ts";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { fc } from "../support/fast-check.ts";
import { previewEvents, previewJson, type WantedPreview, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const role = { mount: "jobs", name: "ci", roleType: "jwt", userClaim: "sub", boundSubject: "x", tokenTtl: "15m" };
const steps: readonly WantedStep[] = [
  { op: "create", token: "jwt:Role", name: "new", after: { ...role, name: "new" } },
  {
    op: "update",
    token: "jwt:Role",
    name: "ci",
    id: "auth/jobs/role/ci",
    before: { ...role, boundClaims: { ref: ["main", "old"] } },
    after: { ...role, boundClaims: { ref: ["main", "new"] } },
  },
  {
    op: "replace",
    token: "jwt:Role",
    name: "moved",
    id: "auth/jobs/role/a",
    before: { ...role, name: "a" },
    after: { ...role, name: "b" },
    replacing: ["name"],
  },
  {
    op: "create-replacement",
    token: "jwt:Role",
    name: "moved",
    before: { ...role, name: "a" },
    after: { ...role, name: "b" },
  },
  { op: "delete", token: "sys:AuthMount", name: "jobs", id: "sys/auth/jobs", before: { path: "jobs", type: "jwt" } },
  { op: "delete", token: "jwt:Role", name: "gone", id: "auth/jobs/role/gone", before: role },
];
const text = async (preview: WantedPreview, ...flags: string[]) => {
  const { code, out, err } = await runCli(["comment", "--dry-run", ...flags], previewJson(preview));
  expect([code, err]).toEqual([0, ""]);
  return out;
};

describe("the comment of a preview", () => {
  it("begins with what is to be done, in numbers", async () => {
    const [first] = (await text({ steps, unchanged: 3 })).split("\n");
    expect(first).toBe("**Preview of `story/dev`**: 1 to replace, 2 to delete, 1 to update, 1 to create, 3 unchanged");
  });

  it("then says of replacements and deletions what they break", async () => {
    const said = await text({ steps });
    expect(said).toMatch(
      /\* \*\*replace\*\* `jwt.Role` `moved` .* because `name` changes. Logins .* fail while it is gone. Tokens that it issued cannot be renewed/,
    );
    expect(said).toMatch(/\* \*\*delete\*\* `sys.AuthMount` `jobs` .* This removes 3 resources of this preview/);
    expect(said.indexOf("**Replaced or deleted**")).toBeLessThan(said.indexOf("<details>"));
  });

  it("has a block for each resource, with what differs in it", async () => {
    const said = await text({ steps });
    expect(said.match(/<details>/g)).toHaveLength(5);
    expect(said).toContain('- boundClaims.ref[]: "old"\n+ boundClaims.ref[]: "new"\n');
  });

  it.each(Object.values(definitions).map(({ token }) => token))(
    "knows what deleting or replacing a %s breaks",
    async (token) => {
      for (const op of ["delete", "replace"]) {
        const said = await text({ steps: [{ op, token, name: "it", before: {}, after: {} }] });
        expect(said, "its texts are in cli/views/comment/breakage.ts").toMatch(
          new RegExp(`\\*\\*${op}\\*\\* .*\`it\`\\. [A-Z]\\w+ .*\\.\n`),
        );
      }
    },
  );

  it("is the same for the same preview, whichever resource the engine came to first, and in either form", async () => {
    const said = await text({ steps, unchanged: 2, warnings: ["b", "a"] });
    const { out } = await runCli(
      ["comment", "--dry-run"],
      previewEvents({ steps, unchanged: 2, warnings: ["a", "b"] }),
    );
    expect(out).toBe(said);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...steps], { minLength: steps.length }), async (shuffled) => {
        expect(await text({ steps: shuffled, unchanged: 2, warnings: ["a", "b"] })).toBe(said);
      }),
      { numRuns: 10 },
    );
  });

  it("shows a secret's change by its fingerprints, and the value of what is not sensitive", async () => {
    const parameter = (key: string, sensitive: boolean, value: string, print: string): Values => ({
      key,
      sensitive,
      value,
      ...(sensitive ? { fingerprints: { value: print }, fingerprintKey: "[secret]" } : {}),
    });
    const said = await text({
      steps: [
        {
          op: "update",
          token: "policy:Parameter",
          name: "s",
          before: parameter("s", true, "needle-1", "aaaa"),
          after: parameter("s", true, "needle-2", "bbbb"),
        },
        {
          op: "update",
          token: "policy:Parameter",
          name: "p",
          before: parameter("p", false, "readable-1", ""),
          after: parameter("p", false, "readable-2", ""),
        },
      ],
    });
    expect(said).toContain("- value: [secret, fingerprint aaaa]\n+ value: [secret, fingerprint bbbb]");
    expect(said).toContain('+ value: "readable-2"');
    expect(said).not.toMatch(/needle|fingerprintKey/);
  });

  it("names nothing that provider and hosts keep for themselves", async () => {
    const kept = ["fingerprintKey", "__provider", "fingerprints", "__defaults"];
    const values = (key: string): Values => ({ ...role, fingerprintKey: key });
    const changed = { token: "jwt:Role", before: values("needle-1"), after: values("needle-2"), differing: kept };
    const said = await text({
      steps: [
        { op: "update", name: "a", ...changed },
        { op: "replace", name: "b", ...changed, replacing: ["__provider", "name"] },
        { op: "update", token: "other:x/y:Z", name: "c", before: {}, after: { copy: values("needle-3") } },
      ],
    });
    expect(said).not.toMatch(/needle|__provider|__defaults/);
    expect(said).not.toMatch(/fingerprintKey(?!":"\[secret\]")/);
    expect(said).toContain("! only internal values differ");
    expect(said).toContain("because `name` changes");
  });

  it("names a property that differs although Pulumi shows the same, and one that moved on the server", async () => {
    const said = await text({
      steps: [
        { op: "update", token: "jwt:Role", name: "a", before: role, after: role, differing: ["tokenPolicies"] },
        {
          op: "update",
          token: "jwt:Role",
          name: "b",
          before: role,
          after: role,
          outputs: { ...role, tokenTtl: "9h" },
          differing: ["tokenTtl"],
        },
      ],
    });
    expect(said).toContain("! tokenPolicies: differs, the preview does not show how");
    expect(said).toContain('- tokenTtl: "9h"\n+ tokenTtl: "15m"');
  });

  it("knows the resources of the plugin, and leaves those of others as they are", async () => {
    const said = await text({
      steps: [
        {
          op: "update",
          token: "trustplane:jwt/role:Role",
          name: "ci",
          before: role,
          after: { ...role, tokenTtl: "1h" },
        },
        { op: "delete", token: "random:index/randomId:RandomId", name: "r", before: { byteLength: 4 } },
      ],
    });
    expect(said).toContain("<code>jwt.Role</code>");
    expect(said).toContain("* **delete** `random:index/randomId:RandomId` `r`.\n");
  });

  it("keeps names and values inside their places", async () => {
    const hostile = "</code></summary></details><img src=x onerror=alert(1)>`@all`\n\n# big\n```\n<!-- -->";
    const said = await text({
      steps: [
        {
          op: "replace",
          token: "jwt:Role",
          name: hostile,
          id: hostile,
          before: { ...role, name: hostile, boundClaims: { [hostile]: hostile } },
          after: role,
          replacing: [hostile],
        },
      ],
      errors: [hostile],
      warnings: [hostile],
    });
    const html = marked.parse(said, { async: false });
    const tags = new Set(html.match(/<\/?[a-z]\w*/g));
    for (const tag of ["<img", "<h1", "<a"]) expect(tags).not.toContain(tag);
    expect(html.match(/<details>/g)).toHaveLength(1);
    expect(html.match(/<!--/g)).toHaveLength(1);
  });
});

describe("a preview that failed", () => {
  it.each([
    ["pulumi-nodejs:dynamic/… 'ci': property roleType value {saml} has a problem: must be", /nothing was sent/],
    ["Running program 'index.js' failed with an unhandled exception:\nError: boom", /on your machine/],
    ["reading jwt.Role: 403 permission denied (GET auth/jwt/role/ci)", /logged in/],
    ["no answer from https://vault.example.com (GET /v1/…): the connection was refused.", /does not reach the server/],
    ["the passphrase is wrong", /cannot decrypt/],
    ["no stack named 'dev' found", /does not reach the stack/],
    ["the stack is currently locked by 1 lock(s)", /Another update/],
    ["something else", /push again/],
  ])("says %j, and what to do", async (error, todo) => {
    const said = await text({ steps: [], errors: [error] });
    expect(said).toMatch(/^\*\*Preview of `story\/dev` failed\*\*\n/);
    expect(said).toContain(`\`\`\`text\n${error}\n\`\`\``);
    expect(said).toMatch(todo);
  });

  it("without JSON is described by what was written instead", async () => {
    const { code, out } = await runCli(["comment", "--dry-run", "--stack", "a/b"], "error: could not log in\n");
    expect(code).toBe(0);
    expect(out).toContain("**Preview of `a/b` failed**");
    expect(out).toContain("error: could not log in");
  });

  it("whose output was cut shows nothing of it, as it may hold what the whole one hides", async () => {
    const whole = previewJson({ steps: [{ ...steps[1], after: { ...role, fingerprintKey: "needle" } } as WantedStep] });
    const { code, out } = await runCli(["comment", "--dry-run", "--stack", "a/b"], whole.slice(0, -50));
    expect([code, whole.includes("needle")]).toEqual([0, true]);
    expect(out).toContain("it was cut, or other text is inside it");
    expect(out).not.toMatch(/needle|boundSubject/);
  });

  it("whose event log was cut is not taken for a whole one", async () => {
    const whole = previewEvents({ steps });
    const { out } = await runCli(["comment", "--dry-run"], whole.slice(0, whole.indexOf('"summaryEvent"') - 40));
    expect(out).toContain("ended before it was complete");
  });

  it("needs --stack where nothing says it", async () => {
    expect(await runCli(["comment", "--dry-run"], "")).toMatchObject({ code: 1, err: /give --stack/ });
  });
});

describe("a comment that would be too long", () => {
  const many = (count: number, size: number): readonly WantedStep[] =>
    Array.from({ length: count }, (_, index) => ({
      op: index % 2 === 0 ? "update" : "delete",
      token: "jwt:Role",
      name: `role-${index}`,
      before: { ...role, boundSubject: `${index}`.padEnd(size, "a") },
      ...(index % 2 === 0 ? { after: { ...role, boundSubject: `${index}`.padEnd(size, "b") } } : {}),
    }));

  it.each([
    [100, 1500],
    [2000, 10],
    [4, 300_000],
  ])(
    "of %i resources and values of %i characters fits, counts all, and says what it leaves out",
    async (count, size) => {
      const said = await text({ steps: many(count, size) });
      expect(said.length).toBeLessThanOrEqual(LONGEST_COMMENT);
      expect(said).toContain(`${count / 2} to delete, ${count / 2} to update`);
      expect(said).toMatch(/<!-- trustplane:preview:story%2Fdev -->\n$/);
      const blocks = said.match(/<details>/g)?.length ?? 0;
      const lines = said.match(/^\* (update|delete) /gm)?.length ?? 0;
      const missing = Number(/(\d+) more are not listed/.exec(said)?.[1] ?? 0);
      expect(blocks + lines + missing).toBe(count);
      const shortened = Number(/room for the details of (\d+)/.exec(said)?.[1] ?? 0);
      expect(shortened).toBe(lines);
      if (size > 2000) expect(said).toMatch(/… \(\d+ more characters\)/);
    },
  );
});

describe("the marker", () => {
  it("differs between stacks and kinds, and cannot end early", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (a, b) => {
        expect(markerOf("preview", a)).toMatch(/^<!-- [^<>]*[^<>-] -->$/);
        expect(markerOf("preview", a)).not.toBe(markerOf("drift", a));
        if (a !== b) expect(markerOf("preview", a)).not.toBe(markerOf("preview", b));
      }),
    );
  });

  it("counts only at the end", () => {
    const marker = markerOf("preview", "a/b");
    expect(isMarked(`text\r\n\r\n${marker}\r\n`, marker)).toBe(true);
    expect(isMarked(`${marker}\n\nsomebody quotes it`, marker)).toBe(false);
  });
});
