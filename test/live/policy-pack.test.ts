import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { run } from "../cli/drift-harness.ts";
import { openingMs, openStory, type Story } from "../e2e/pulumi-story.ts";
import { bothLibraries, program, rolesOf } from "../e2e/role-programs.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";

// https://github.com/pulumi/docs/issues/14437, https://github.com/pulumi/pulumi/issues/24654
describe.each(bothLibraries)("examples/policy-pack on classes of %s", needsPulumi(), (library) => {
  let story: Story;
  let pack: string;

  beforeAll(async () => {
    story = await openStory({ program: { source: sourceOf(library) } });
    pack = join(story.sandbox.folder, "pack");
    cpSync(join(repository, "examples/policy-pack"), pack, { recursive: true });
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: pack, stdio: "pipe" });
    return story.close;
  }, openingMs);

  test("stops a preview and an update, and names each role, also one of a set", async () => {
    for (const command of ["preview", "up --yes --skip-preview"]) {
      const { text } = await story.pulumi(`${command} --policy-pack ${pack}`, { code: 1 });
      const found = ["bad: https://github.com/acme is no audience of ours", "set, b: a machine becomes admin by it"];
      // An update ends at the first that is found.
      const shown = found.filter((each) => text.includes(each));
      expect(shown.length, text).toBeGreaterThanOrEqual(command === "preview" ? found.length : 1);
      expect(text).not.toContain("good:");
    }
    expect(rolesOf(story)).not.toContain("bad");
  });

  test("lets what keeps the rules pass, whose preview the reviews read", async () => {
    story.rewrite(sourceOf(library, false));
    const { text } = await story.pulumi(`preview --json --policy-pack ${pack}`);
    const { code, out } = await run(["comment", "-", "--stack", "acme/dev", "--dry-run"], {}, text);
    expect(code).toBe(0);
    // The policy may have been made before the update was stopped.
    expect(out).toMatch(/3 to create|2 to create, 1 unchanged/);
    await story.pulumi(`up --yes --skip-preview --policy-pack ${pack}`);
    expect(rolesOf(story)).toEqual(["a", "b", "good"]);
  });
});

/** A policy whose name the server gives is not known in a preview. */
function sourceOf(library: string, isBad = true): string {
  const settings = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://vault.example.com"] };
  const bad = { ...settings, name: "bad", boundAudiences: ["https://github.com/acme"] };
  const set = { defaults: settings, roles: { a: {}, b: { tokenPolicies: [isBad ? "admin" : "deploy"] } } };
  return program(
    library,
    `const deploy = new sys.Policy("deploy", { name: "deploy", policy: 'path "x" { capabilities = ["read"] }' });`,
    `new jwt.Role("good", { ...${JSON.stringify(settings)}, name: "good", tokenPolicies: [deploy.id.apply(() => "deploy")] });`,
    ...(isBad ? [`new jwt.Role("bad", ${JSON.stringify(bad)});`] : []),
    `new jwt.RoleSet("set", ${JSON.stringify(set)});`,
  );
}
