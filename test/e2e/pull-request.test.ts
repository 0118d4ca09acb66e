import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runAction } from "../cli/ci-action.ts";
import { startForge } from "../cli/forge-imitation.ts";
import { rawApi } from "../support/contract-raw.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** A repository with `examples/review` and the action, on both of its occasions; each test goes on where the one before it ended. */
describe("a repository whose trust changes by pull request", needsPulumi(), () => {
  let story: Story;
  let program: string;
  let forge: Awaited<ReturnType<typeof startForge>>;
  const byHand = (line: string, fields: object) => rawApi("secrets", story.ours.secrets).call(line, fields);
  /** The action as the workflow of the example starts it, its login left out: the servers are reached by their own token. */
  const ci = (mode: "preview" | "drift") =>
    runAction(
      { mode, stack: "dev", ignore: "trustplane.yml", trust: "trust.yml" },
      {
        cwd: program,
        env: {
          ...story.sandbox.env,
          ...forge.env,
          GITHUB_ACTION_PATH: join(program, "node_modules/trustplane"),
        },
      },
    );
  const change = (from: string, to: string) => {
    const before = readFileSync(join(program, "index.js"), "utf8");
    expect(before).toContain(from);
    story.rewrite(before.replace(from, to));
  };
  const firstLines = (notes: readonly { readonly body: string }[]) => notes.map(({ body }) => body.split("\n")[0]);

  beforeAll(async () => {
    story = await openStory({ program: "examples/review" });
    program = story.sandbox.programFolder;
    forge = await startForge("github");
    return () => Promise.all([story.close(), forge.close()]);
  }, openingMs);

  test("a pull request shows what will be made, and what is there already", async () => {
    await byHand("POST sys/auth/jobs", { type: "jwt", config: { max_lease_ttl: "1h" } });
    const { code, out } = await ci("preview");
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("<summary>create") });
    expect(firstLines(forge.notes.comments)).toEqual(["**Preview of `dev`**: 3 to create"]);
    expect(forge.notes.comments[0]?.body).toContain("**Trust tests**: 3 tests passed.");
    expect(forge.notes.comments[0]?.body).toContain(
      '**Takes over what is there**\n\n* `sys.AuthMount "jobs" is there already, as declared. It is taken over`',
    );
    await story.pulumi("up --yes --skip-preview");
  });

  test("a change edits the comment: what is replaced, what differs, what is weak, and which trust test fails", async () => {
    change(
      'ref: ["main", "release"]',
      'ref: ["main", "*-release"] }, boundClaimsType: "glob", tokenMaxTtl: "48h", claimMappings: { ref: "ref"',
    );
    change('name: "lint"', 'name: "checks"');

    expect(await ci("preview")).toMatchObject({
      code: 2,
      out: expect.stringContaining("1 of 3 tests of trust failed."),
    });

    expect(forge.notes.comments).toHaveLength(1);
    const body = forge.notes.comments[0]?.body ?? "";
    expect(body).toMatch(/^\*\*Preview of `dev`\*\*: 1 to replace, 1 to update, 1 unchanged\n/);
    expect(body).toContain("because `name` changes. Logins with this role fail while it is gone.");
    expect(body).toContain('- boundClaims.ref[]: "release"\n+ boundClaims.ref[]: "*-release"');
    expect(body).toMatch(/`boundClaims.ref\[1\]` begins with a wildcard: `"\*-release"`/);
    expect(body).toContain(
      "**Trust tests**: 1 of 3 tests failed\n\n* `no branch deploys that anybody can make`: `the login is not refused",
    );
    // The example's file of exceptions has a reason for the lifetime.
    expect(body).not.toMatch(/tokenMaxTtl.*long-ttl/);
    expect(body).toContain("**Silenced notes**: 1, by 1 exception, not compared with the base branch");
    expect(body).toContain("* 1 by `long-ttl` for `jwt.Role deploy`: `the migration of 2099 runs for two days`");
    await story.pulumi("up --yes --skip-preview");
    // What does not change is tested, too.
    expect(await ci("preview")).toMatchObject({ code: 2 });
    expect(forge.notes.comments[0]?.body).toMatch(/: nothing to do|: 3 unchanged/);
    expect(forge.notes.comments[0]?.body).toContain("**Trust tests**: 1 of 3 tests failed");
  });

  test("a change by hand opens an issue, another edits it, and the repair closes it", async () => {
    expect(await ci("drift")).toMatchObject({ code: 0 });
    expect(forge.notes.issues).toEqual([]);

    await byHand("POST auth/jobs/role/deploy", { role_type: "jwt", token_policies: ["deploy", "admin"] });
    expect(await ci("drift")).toMatchObject({ code: 0 });
    expect(forge.notes.issues).toMatchObject([{ isOpen: true, title: "Drift in dev" }]);
    expect(forge.notes.issues[0]?.body).toContain('+ tokenPolicies[]: "admin"');

    await byHand("POST auth/jobs/role/checks", { role_type: "jwt", token_ttl: 43_200 });
    expect(await ci("drift")).toMatchObject({ code: 0 });
    expect(forge.notes.issues).toHaveLength(1);
    expect(forge.notes.issues[0]?.body).toContain('+ tokenTtl: "12h"');

    await story.pulumi("up --refresh --yes --skip-preview");
    expect(await ci("drift")).toMatchObject({ code: 0 });
    expect(forge.notes.issues).toMatchObject([{ isOpen: false }]);
    expect(firstLines(forge.notes.issues)[0]).toMatch(/No drift/);
  });

  test("a program that fails says so in the same comment, and fails the job", async () => {
    change('roleType: "jwt"', 'roleType: "saml"');

    const { code } = await ci("preview");

    expect(code).not.toBe(0);
    expect(forge.notes.comments).toHaveLength(1);
    expect(forge.notes.comments[0]?.body).toMatch(
      /^\*\*Preview of `dev` failed\*\*[\s\S]*must be one of "oidc", "jwt"[\s\S]*nothing was sent/,
    );
  });
});
