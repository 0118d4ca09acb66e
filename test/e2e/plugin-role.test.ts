import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** The life of a role that the plugin serves: each test goes on where the one before it ended. */
describe("the life of a native role", needsPulumi(), () => {
  let story: Story;
  const role = (name = "ci") => story.ours.records().secrets[`auth/jwt/role/${name}`];

  beforeAll(async () => {
    story = await openStory({ program: { source: program(first) } });
    return story.close;
  }, openingMs);

  test("a preview shows the role that will be made, and says what is not known yet", async () => {
    const { text } = await story.pulumi("preview --diff");
    console.log(text);
    expect(role()).toBeUndefined();
  });

  test("up writes it with one request and reads it back with another", async () => {
    story.requests();
    const { text } = await story.pulumi("up --yes --skip-preview");
    console.log(text);

    expect(story.requests()).toEqual(["GET sys/health", "POST auth/jwt/role/ci", "GET auth/jwt/role/ci"]);
  });

  test("a preview after it finds nothing to do", async () => {
    await story.pulumi("preview --expect-no-changes");
    expect(story.requests()).toEqual(["GET sys/health"]);
  });

  test("a difference is shown down to the member of a map, and nothing else", async () => {
    story.rewrite(
      program({
        ...first,
        boundClaims: { project: ["a", "c"], ref: "main" },
        tokenTtl: "20m",
        tokenPolicies: undefined,
      }),
    );

    const { text } = await story.pulumi("up --yes --skip-preview --diff");
    console.log(text);
  });

  test("import", async () => {
    story.rewrite(
      program({
        ...first,
        boundClaims: { project: ["a", "c"], ref: "main" },
        tokenTtl: "20m",
        tokenPolicies: undefined,
      }),
    );
    await story.pulumi("state delete urn:pulumi:dev::story::trustplane:jwt/role:Role::ci --yes");
    const t = await story.pulumi("import trustplane:jwt/role:Role ci auth/jwt/role/ci --yes --protect=false");
    console.log(t.text);
    console.log((await story.pulumi("preview --diff")).text);
  });

  test("destroy leaves no record of ours", async () => {
    const t = await story.pulumi("destroy --yes --skip-preview");
    console.log(t.text);
    expect(Object.keys(story.ours.records().secrets).filter((path) => path.includes("/role/"))).toEqual([]);
  });
});

const first = {
  name: "ci",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://a.example.com", "https://b.example.com"],
  boundClaims: { project: ["a", "b"], ref: "main" },
  tokenPolicies: ["deploy", "read"],
  tokenTtl: 900,
};

function program(args: object): string {
  return `const trustplane = require("trustplane/native");
const role = new trustplane.jwt.Role("ci", ${JSON.stringify(args)});
exports.id = role.id;
exports.audiences = role.boundAudiences;
`;
}
