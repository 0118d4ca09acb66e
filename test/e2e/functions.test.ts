import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

describe.each(libraries)("a program that calls functions of %s", needsPulumi(), (library) => {
  const isNative = library === "trustplane/native";
  let story: Story;

  beforeAll(async () => {
    story = await openStory({ program: { source: reading(library) } });
    return story.close;
  }, openingMs);

  test("previews what it reads of a role that is yet to be made as unknown, and asks for no such role", async () => {
    const { text } = await story.pulumi("preview");

    expect(text).toMatch(/ttl\s*: \[unknown\]/);
    expect(text).toMatch(/count\s*: 0/);
    // The preview of the role itself looks whether somebody else has made it.
    expect(story.requests().filter((line) => line.startsWith("GET auth/jwt/role/"))).toHaveLength(1);
  });

  test("reads it when it is made, and from then on in previews too", async () => {
    expect((await story.pulumi("up --yes --skip-preview")).text).toMatch(/ttl\s*: "15m"/);
    expect((await story.pulumi("preview")).text).not.toMatch(/unknown/);
  });

  test("has nothing issued by a preview, and is told of wrong arguments before anything is sent", async () => {
    story.rewrite(issuing(library, "deploy"));
    story.requests();

    const { text } = await story.pulumi("preview");

    expect(text).toMatch(/accessKey\s*: \[(unknown|secret)\]/);
    expect(text).toMatch(/token\s*: \[(unknown|secret)\]/);
    expect(story.requests().filter((line) => !line.startsWith("GET sys/health"))).toEqual([]);

    story.rewrite(issuing(library, "a b"));
    // What the plugin is not asked in a preview it cannot refuse: the update does.
    const refused = await story.pulumi(isNative ? "up --yes --skip-preview" : "preview", { code: 1 });
    expect(refused.text).toContain('calling cloud.getCredentials "a b": name must be');
    expect(refused.text).not.toContain("at process");
  });

  test("is told why the other form is refused in a preview", async () => {
    story.rewrite(`require("${library}").cloud.getCredentials({ name: "deploy" });`);
    const { text } = await story.pulumi("preview", { code: 1 });
    expect(text).toContain("cloud.getCredentials has the server issue something, which a preview must not. Use ");
  });
});

const reading = (library: string) => `
const trustplane = require("${library}");
const role = new trustplane.jwt.Role("ci", { name: "ci", roleType: "jwt", userClaim: "sub", boundSubject: "x", tokenTtl: "15m" });
exports.count = trustplane.jwt.getRoles().then(({ names }) => names.length);
exports.ttl = trustplane.jwt.getRoleOutput({ name: role.name }).tokenTtl;
`;

const issuing = (library: string, name: string) => `
const trustplane = require("${library}");
exports.accessKey = trustplane.cloud.getCredentialsOutput({ name: ${JSON.stringify(name)} }).accessKey;
exports.token = trustplane.jwt.loginOutput({ role: "ci", jwt: "x" }).clientToken;
`;
