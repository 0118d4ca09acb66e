import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type ExportedResource, needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { bothLibraries, rolesOf, writeByHand } from "./role-programs.ts";

/** What users know of resource options, on a program that has many at once; each test goes on where the one before it ended. */
describe.each(bothLibraries)("resource options, with classes of %s", needsPulumi(), (library) => {
  let story: Story;
  const canImport = library === "trustplane/native";
  const role = (name: string) => story.ours.records().secrets[`auth/jobs/role/${name}`];
  const writes = () => story.requests().filter((request) => !request.startsWith("GET"));
  const recorded = async (name: string): Promise<ExportedResource | undefined> =>
    (await story.resources()).find(({ urn }) => urn.endsWith(`::${name}`));
  const program = (changes: Changes = {}) => sourceOf(library, { canImport, ...changes });

  beforeAll(async () => {
    story = await openStory({ program: { source: program() } });
    if (canImport) {
      await writeByHand(story, "sys/auth/elsewhere", { type: "jwt" });
      await writeByHand(story, "auth/elsewhere/role/imported", {
        role_type: "jwt",
        user_claim: "sub",
        bound_audiences: ["a"],
      });
    }
    await story.pulumi("up --yes --skip-preview");
    return story.close;
  }, openingMs);

  test("components, their transforms and those of the stack reach the record, and `import` takes it as it is", async () => {
    expect(role("inner")).toMatchObject({ token_policies: ["of-component"], bound_claims: { by: "stack" } });
    expect((await recorded("inner"))?.["parent"]).toMatch(/Team::team$/);
    if (canImport)
      expect(writes().filter((request) => /imported/.test(request))).toEqual(["POST auth/elsewhere/role/imported"]);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("ignoreChanges, also of a transform, keeps what is on the server now, not what the state has", async () => {
    for (const name of ["shared", "borrowed"]) {
      const { token_policies: _, ...rest } = role(name) as Record<string, unknown>;
      await writeByHand(story, `auth/jobs/role/${name}`, { ...bodyOf(rest), token_policies: ["policy-60", "theirs"] });
    }
    story.rewrite(program({ ttl: 120 }));

    await story.pulumi("up --yes --skip-preview");

    expect(role("shared")).toMatchObject({ token_policies: ["policy-60", "theirs"], token_ttl: 120 });
    // Pulumi tells the dynamic classes nothing of what only a transform adds: docs/limits.md.
    const borrowed = canImport ? ["policy-60", "theirs"] : ["policy-60"];
    expect(role("borrowed")).toMatchObject({ token_policies: borrowed, token_ttl: 120 });
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("replaceOnChanges and another name replace, deleting first whatever deleteBeforeReplace says", async () => {
    writes();
    story.rewrite(program({ ttl: 120, claim: "email", renamed: "late" }));
    await story.pulumi("up --yes --skip-preview");
    expect(
      writes()
        .filter((request) => /role\/(forced|late|early)/.test(request))
        .sort(),
    ).toEqual([
      "DELETE auth/jobs/role/early",
      "DELETE auth/jobs/role/forced",
      "POST auth/jobs/role/forced",
      "POST auth/jobs/role/late",
    ]);
  });

  test("a stack that moves to another backend is unchanged there", async () => {
    const { folder } = story.sandbox;
    const env = { PULUMI_BACKEND_URL: `file://${join(folder, "elsewhere")}` };
    mkdirSync(join(folder, "elsewhere"));
    await story.pulumi(`stack export --file ${join(folder, "stack.json")}`);
    await story.pulumi("stack init dev", { env });
    await story.pulumi(`stack import --file ${join(folder, "stack.json")}`, { env });
    writes();
    await story.pulumi("preview --refresh --expect-no-changes", { env });
    expect(writes()).toEqual([]);
  });

  test("protect keeps a record and what it is in, while Pulumi deletes the others", async () => {
    const { text } = await story.pulumi("destroy --yes --skip-preview", { code: 1 });
    expect(text).toMatch(/protected/);
    expect(rolesOf(story, "jobs")).toEqual(["guarded", "kept", "with"]);
    expect(await recorded("jobs")).toBeDefined();
  });

  test("deletedWith and retainOnDelete hold the mount back, which says so, and `force` takes all", async () => {
    const last = { canImport: false, isProtected: false };
    story.rewrite(program(last));
    await story.pulumi("up --yes --skip-preview");
    const { text } = await story.pulumi("destroy --yes --skip-preview", { code: 1 });
    expect(text).toMatch(/2 records are still in auth\/jobs\/role \(kept, with\)/);
    expect(text).toMatch(
      /To keep what `deletedWith` or `retainOnDelete` has left there, set `retainOnDelete` on the mount, too/,
    );
    expect(rolesOf(story, "jobs")).toEqual(["kept", "with"]);

    story.rewrite(program({ ...last, isForced: true }));
    await story.pulumi("up --yes --skip-preview");
    await story.pulumi("destroy --yes --skip-preview");
    expect(await story.resources()).toEqual([]);
    expect(rolesOf(story, "jobs")).toEqual([]);
  });
});

interface Changes {
  readonly canImport?: boolean;
  readonly ttl?: number;
  readonly claim?: string;
  readonly renamed?: string;
  readonly isProtected?: boolean;
  readonly isForced?: boolean;
}

/** What the server has as a body that it takes. */
function bodyOf(record: Readonly<Record<string, unknown>>): object {
  const { role_type, user_claim, bound_audiences } = record;
  return { role_type, user_claim, bound_audiences };
}

function sourceOf(
  library: string,
  { canImport, ttl = 60, claim = "sub", renamed = "early", isProtected = true, isForced = false }: Changes,
) {
  return `
const pulumi = require("@pulumi/pulumi");
const { jwt, sys } = require("${library}");
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
pulumi.runtime.registerStackTransform(({ type, props, opts, name }) =>
  name === "inner" ? { props: { ...props, boundClaims: { by: "stack" } }, opts }
  : name === "borrowed" ? { props, opts: pulumi.mergeOptions(opts, { ignoreChanges: ["tokenPolicies"] }) } : undefined);
class Team extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("story:index:Team", name, {}, opts);
    new jwt.Role("inner", { ...common, mount, name: "inner" }, { parent: this });
    this.registerOutputs({});
  }
}
const jobs = new sys.AuthMount("jobs", { path: "jobs", type: "jwt", force: ${isForced} });
const { path: mount } = jobs;
new Team("team", { transforms: [({ type, props, opts }) =>
  /:Role$/.test(type) ? { props: { ...props, tokenPolicies: ["of-component"] }, opts } : undefined] });
new jwt.Role("shared", { ...common, mount, name: "shared", tokenPolicies: ["policy-${ttl}"], tokenTtl: ${ttl} }, { ignoreChanges: ["tokenPolicies"] });
new jwt.Role("borrowed", { ...common, mount, name: "borrowed", tokenPolicies: ["policy-${ttl}"], tokenTtl: ${ttl} });
new jwt.Role("forced", { ...common, mount, name: "forced", userClaim: "${claim}" }, { replaceOnChanges: ["userClaim"] });
new jwt.Role("named", { ...common, mount, name: "${renamed}" }, { deleteBeforeReplace: false });
new jwt.Role("guarded", { ...common, mount, name: "guarded" }, { protect: ${isProtected} });
new jwt.Role("with", { ...common, mount, name: "with" }, { deletedWith: jobs });
new jwt.Role("kept", { ...common, mount, name: "kept" }, { retainOnDelete: true });
${canImport ? 'new jwt.Role("imported", { ...common, mount: "elsewhere", name: "imported" }, { import: "auth/elsewhere/role/imported" });' : ""}
`;
}
