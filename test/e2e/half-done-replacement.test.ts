import { describe, expect, test } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import type { Story } from "./pulumi-story.ts";
import { beginStory, bothLibraries, policiesOf, policy, program, role, rolesOf } from "./role-programs.ts";

describe.each(bothLibraries)("a replacement that failed after its delete, of %s,", (library) => {
  const declared = (...statements: readonly string[]) => program(library, ...statements);
  const failing = (story: Story, script: string) => story.ours.faults.add(faultScript.parse(script));

  test("is finished by the next run, also where the program goes back", needsPulumi(), async () => {
    const story = await beginStory(declared(policy("p", "a")), { env: () => ({ VAULT_MAX_RETRIES: "0" }) });
    await story.pulumi("up --yes --skip-preview");
    failing(story, "POST sys/policies/acl/b 503");
    story.rewrite(declared(policy("p", "b")));
    await story.pulumi("up --yes", { code: 1 });
    story.ours.faults.clear();

    story.rewrite(declared(policy("p", "a")));
    await story.pulumi("up --yes");
    expect(policiesOf(story)).toEqual(["a"]);
    await story.pulumi("preview --refresh --expect-no-changes");

    // A second resource of the record is still one too many.
    story.rewrite(declared(`const made = ${policy("p", "a")}`, policy("q", "a", "{ dependsOn: made }")));
    const { text } = await story.pulumi("preview", { code: 1 });
    const who = library === "trustplane" ? "two resources of this program" : "`q` and `p` both";
    expect(text).toContain(`${who} declare sys.Policy sys/policies/acl/a: remove one of the two`);
  });

  test("that the user asked for is finished, too, with all that its mount has held", needsPulumi(), async () => {
    const mount = `const jobs = new sys.AuthMount("jobs", { path: "jobs", type: "jwt", force: true });`;
    const inMount = role("r")
      .replace('{"roleType"', '{"mount":"jobs","roleType"')
      .replace("{});", "{ dependsOn: jobs });");
    const story = await beginStory(declared(mount, inMount), { env: () => ({ VAULT_MAX_RETRIES: "0" }) });
    await story.pulumi("up --yes --skip-preview");
    const urn = (await story.resources()).find(({ type }) => /AuthMount/.test(type))?.urn;
    failing(story, "POST auth/jobs/role/r 503");
    await story.pulumi(`up --yes --skip-preview --replace ${urn}`, { code: 1 });
    story.ours.faults.clear();
    await story.pulumi("up --yes");
    expect(rolesOf(story, "jobs")).toEqual(["r"]);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("and that came to a mount alone is finished, with all that the mount has held", needsPulumi(), async () => {
    await expectHealed(library, "{ dependsOn: jobs }");
  });
});

test("a mount that was made anew alone gets what another provider has in it", needsPulumi(), async () => {
  const more = 'const z = new trustplane.Provider("z");';
  await expectHealed("trustplane/native", "{ dependsOn: jobs, provider: z }", more);
});

/** The run that makes the mount anew ends there, or is about the mount alone. */
async function expectHealed(library: string, options: string, more = ""): Promise<void> {
  const source = (type: string) =>
    program(
      library,
      more,
      `const jobs = new sys.AuthMount("jobs", { path: "jobs", type: "${type}", force: true });`,
      role("r", "r", options).replace('{"roleType"', '{"mount":"jobs","roleType"'),
      `new jwt.RoleSet("s", { mount: "jobs", defaults: { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] }, roles: { one: {} } }, ${options});`,
      `new trustplane.identity.Group("g", { name: "g", type: "external", alias: { mount: "jobs", name: "g" } }, ${options});`,
    );
  const story = await beginStory(source("jwt"));
  await story.pulumi("up --yes --skip-preview");
  await story.pulumi("preview --expect-no-changes");
  const urn = (await story.resources()).find(({ type }) => /AuthMount/.test(type))?.urn;
  story.rewrite(source("oidc"));
  await story.pulumi(`up --yes --skip-preview --target ${urn}`);
  expect(rolesOf(story, "jobs")).toEqual([]);
  expect((await story.pulumi("preview")).text).toMatch(/3 to replace/);
  await story.pulumi("up --yes --skip-preview");
  expect(rolesOf(story, "jobs")).toEqual(["one", "r"]);
  await story.pulumi("preview --refresh --expect-no-changes");
}
