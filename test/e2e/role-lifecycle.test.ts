import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** The life of a role, from the first `up` to `destroy`: each test goes on where the one before it ended. */
describe("the life of a role", needsPulumi(), () => {
  let story: Story;
  const role = (name = "ci") => story.ours.records().secrets[`auth/jwt/role/${name}`];

  beforeAll(async () => {
    story = await openStory({ program: { source: program(first) } });
    return story.close;
  }, openingMs);

  test("up looks, writes it with one request and reads it back with another", async () => {
    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/jwt:Role ci created/);
    expect(role()).toMatchObject({
      role_type: "jwt",
      bound_audiences: ["https://a.example.com", "https://b.example.com"],
      token_ttl: 900,
      token_policies: ["deploy", "read"],
      claim_mappings: { project_path: "project" },
    });
    expect(story.requests()).toEqual([
      "GET sys/health",
      "GET sys/auth",
      // In the check of its class, and before the write.
      "GET auth/jwt/role/ci",
      "GET auth/jwt/role/ci",
      "POST auth/jwt/role/ci",
      "GET auth/jwt/role/ci",
    ]);
  });

  test("a preview after it finds nothing to do, and asks the server for no more than its version", async () => {
    await story.pulumi("preview --expect-no-changes");

    expect(story.requests()).toEqual(["GET sys/health"]);
  });

  test("another order and another spelling of the same values are no difference", async () => {
    story.rewrite(
      program({
        ...first,
        boundAudiences: ["https://b.example.com", "https://a.example.com"],
        tokenPolicies: ["read", "deploy"],
        tokenTtl: "15m",
      }),
    );

    await story.pulumi("preview --expect-no-changes");
  });

  test("a changed field is changed in place, and a removed field is reset on the server", async () => {
    const { claimMappings: _, tokenPolicies: __, ...rest } = first;
    story.rewrite(program({ ...rest, tokenTtl: 600 }));

    const { text } = await story.pulumi("up --yes --skip-preview --diff");

    expect(text).toMatch(/- claimMappings/);
    expect(text).toMatch(/- tokenPolicies/);
    expect(text).toMatch(/~ tokenTtl\s*: 900 => 600/);
    expect(text).toMatch(/~ 1 updated/);
    expect(role()).toMatchObject({ token_ttl: 600, token_policies: [], claim_mappings: {} });
    expect(role()).toMatchObject({ bound_audiences: first.boundAudiences });
  });

  test("another name deletes the old record before it writes the new one, which stays", async () => {
    story.rewrite(program({ ...first, name: "pipeline" }));
    story.requests();

    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/1 replaced/);
    expect(role("ci")).toBeUndefined();
    expect(role("pipeline")).toMatchObject({ token_ttl: 900 });
    expect(story.requests().filter((request) => !request.startsWith("GET"))).toEqual([
      "DELETE auth/jwt/role/ci",
      "POST auth/jwt/role/pipeline",
    ]);
  });

  test("a replacement that is forced on an unchanged role leaves the live record in place", async () => {
    const { text } = await story.pulumi(`up --yes --skip-preview --target-replace ${urn}`);

    expect(text).toMatch(/1 replaced/);
    expect(role("pipeline")).toMatchObject({ token_ttl: 900 });
    expect(story.requests().filter((request) => !request.startsWith("GET"))).toEqual([
      "DELETE auth/jwt/role/pipeline",
      "POST auth/jwt/role/pipeline",
    ]);
  });

  test("a tainted role is replaced in the same order", async () => {
    await story.pulumi(`state taint ${urn}`);

    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/1 replaced/);
    expect(role("pipeline")).toMatchObject({ token_ttl: 900 });
  });

  test("destroy leaves no record of ours", async () => {
    await story.pulumi("destroy --yes --skip-preview");

    expect(Object.keys(story.ours.records().secrets).filter((path) => path.includes("/role/"))).toEqual([]);
    expect((await story.sandbox.export()).deployment.resources ?? []).toEqual([]);
  });
});

const urn = "urn:pulumi:dev::story::pulumi-nodejs:dynamic/trustplane/jwt:Role::ci";

const first = {
  name: "ci",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://a.example.com", "https://b.example.com"],
  claimMappings: { project_path: "project" },
  tokenPolicies: ["deploy", "read"],
  tokenTtl: 900,
};

function program(args: object): string {
  return `const trustplane = require("trustplane");\nnew trustplane.jwt.Role("ci", ${JSON.stringify(args)});\n`;
}
