import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { beginStory, role, rolesOf, program as sourceOf } from "./role-programs.ts";

const [library] = libraries;
const key = String(
  generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" }),
);

/** Each test goes on where the one before it ended. */
describe("a mount that gets another path", needsPulumi(), () => {
  let story: Story;
  const writes = () => story.requests().filter((request) => !request.startsWith("GET"));
  const places = () => Object.keys(story.ours.records().secrets).filter((path) => /jobs/.test(path));

  /** The group, by the server's id. */
  let group: unknown;
  const groupId = async () => (await story.resources()).find(({ type }) => /Group/.test(type))?.outputs?.["groupId"];

  beforeAll(async () => {
    story = await openStory({ program: { source: program("jobs") } });
    return story.close;
  }, openingMs);

  test("is moved by the server, with its roles, and nothing of these is written or deleted", async () => {
    await story.pulumi("up --yes --skip-preview");
    group = await groupId();
    story.requests();
    story.rewrite(program("team/jobs"));

    const preview = await story.pulumi("preview --diff");
    expect(preview.text).toMatch(
      /the server moves it from "jobs", with what is in it, and ends the tokens that it has/,
    );
    expect(preview.text).toMatch(/~ trustplane.*AuthMount|~ .*AuthMount: \(update\)/);
    expect(writes()).toEqual([]);

    const { text } = await story.pulumi("up --yes --skip-preview");
    expect(text).toMatch(/3 replaced/);
    expect(await groupId()).toBe(group);
    expect(text).not.toContain("the server warns");
    expect(writes().filter((request) => !/ identity\/group/.test(request))).toEqual([
      "POST sys/remount",
      "POST sys/auth/team/jobs/tune",
      "POST auth/team/jobs/config",
    ]);
    expect(places().every((path) => path.includes("team/jobs"))).toBe(true);
    await story.pulumi("preview --expect-no-changes");
  });

  test("has the id of its new path after the next refresh, and goes with the stack", async () => {
    await story.pulumi("refresh --yes --skip-preview");
    const mounts = (await story.resources()).filter(({ type }) => /AuthMount/.test(type));
    expect(mounts.map(({ id }) => id)).toEqual(["sys/auth/team/jobs"]);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("that is made anew gets a new group, whose alias is at it", async () => {
    story.rewrite(program("team/jobs", "oidc"));
    expect((await story.pulumi("preview --diff")).text).toMatch(/-- ?.*Group|\+- .*Group|Group: \(replace\)/);
    await story.pulumi("up --yes --skip-preview");
    expect(await groupId()).not.toBe(group);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("and whose path another mount takes leaves nothing that the program has behind", async () => {
    story.rewrite(program("team/jobs", "oidc", true));
    await story.pulumi("up --yes");
    const roles = places().filter((path) => /auth\/(team\/jobs|moved)\/role/.test(path));
    expect(roles.sort()).toEqual(["auth/team/jobs/role/ci", "auth/team/jobs/role/one", "auth/team/jobs/role/two"]);
    await story.pulumi("preview --refresh --expect-no-changes");
    await story.pulumi("destroy --yes --skip-preview");
    expect(places()).toEqual([]);
  });
});

test("a mount that another provider has moved keeps nothing that the program has no more", needsPulumi(), async () => {
  const statements = (path: string, ...more: readonly string[]) => [
    'const z = new trustplane.Provider("z");',
    `const first = new sys.AuthMount("jobs", { path: "${path}", type: "jwt", force: true });`,
    ...more,
    inMount("r", `{ provider: z, dependsOn: ${more.length > 0 ? "other" : "first"} }`),
  ];
  const inMount = (name: string, options: string) =>
    role(name, name, options).replace('{"roleType"', '{"mount":"jobs","roleType"');
  const story = await beginStory(sourceOf("trustplane/native", ...statements("jobs")));
  await story.pulumi("up --yes --skip-preview");
  const other = 'const other = new sys.AuthMount("other", { path: "jobs", type: "jwt" }, { dependsOn: first });';
  story.rewrite(sourceOf("trustplane/native", ...statements("moved", other)));
  await story.pulumi("up --yes --skip-preview");
  expect([rolesOf(story, "jobs"), rolesOf(story, "moved")]).toEqual([["r"], []]);
});

/** A mount with what is in it; with another one at the path that it had. */
function program(path: string, type = "jwt", isTaken = false): string {
  return `const { identity, jwt, sys } = require("${library}");
const first = new sys.AuthMount("jobs", { path: "${isTaken ? "moved" : path}", type: "${type}", force: true });
const { path: mount } = ${isTaken ? `new sys.AuthMount("other", { path: "${path}", type: "${type}", force: true }, { dependsOn: first })` : "first"};
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
new jwt.Config("jobs", { mount, jwtValidationPubkeys: [${JSON.stringify(key)}] });
new jwt.Role("ci", { mount, name: "ci", ...common });
new jwt.RoleSet("more", { mount, defaults: common, roles: { one: {}, two: {} } });
new identity.Group("team", { name: "team", type: "external", alias: { mount, name: "team" } });
`;
}
