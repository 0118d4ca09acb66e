// @run test: the shortest story of the plugin

import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { changesFound, openingMs, openStory, type Story } from "./pulumi-story.ts";

/** The life of a role that the plugin serves: each test goes on where the one before it ended. */
describe("the life of a native role", { ...needsPulumi(), shuffle: false }, () => {
  let story: Story;
  const role = (name = "ci") => story.ours.records().secrets[`auth/jwt/role/${name}`];

  beforeAll(async () => {
    story = await openStory({ program: { source: program(first) } });
    return story.close;
  }, openingMs);

  test("a preview shows what will be made, with its defaults, and asks the server for its version, its mounts and whether the role is there", async () => {
    const { text } = await story.pulumi("preview --diff");

    expect(text).toMatch(/\+ trustplane:jwt\/role:Role: \(create\)/);
    expect(text).toMatch(/mount\s*: "jwt"/);
    expect(text).toMatch(/ttl\s*: 900/);
    expect(text).toMatch(/id\s*: \[unknown\]/);
    expect(story.requests()).toEqual(["GET sys/health", "GET sys/auth", "GET auth/jwt/role/ci"]);
  });

  test("up looks, writes it with one request and reads it back with another", async () => {
    await story.pulumi("up --yes --skip-preview");

    expect(role()).toMatchObject({ role_type: "jwt", token_ttl: 900, bound_claims: first.boundClaims });
    expect(story.requests()).toEqual([
      "GET sys/health",
      "GET sys/auth",
      "GET auth/jwt/role/ci",
      "POST auth/jwt/role/ci",
      "GET auth/jwt/role/ci",
    ]);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("a difference is shown down to the member of a map and the item of a list, and nothing else is", async () => {
    const { tokenPolicies: _, ...rest } = first;
    story.rewrite(program({ ...rest, boundClaims: { project: ["a", "c"], ref: "main" }, tokenTtl: 600 }));

    const { text } = await story.pulumi("up --yes --skip-preview --diff");

    expect(text).toMatch(/~ boundClaims\s*: \{\n\s+~ project: \[\n\s+~ \[1\]: "b" => "c"\n\s+\]\n\s+\}/);
    expect(text).toMatch(/- tokenPolicies: \[\n\s+-\s+\[0\]: "deploy"/);
    expect(text).toMatch(/~ tokenTtl\s*: 900 => 600/);
    expect(text).toMatch(/~ 1 updated/);
    expect(role()).toMatchObject({ token_ttl: 600, token_policies: [], bound_claims: { project: ["a", "c"] } });
  });

  test("a change by hand is shown and repaired", async () => {
    const headers = { "x-vault-token": story.ours.secrets.token };
    const body = JSON.stringify({ role_type: "jwt", token_ttl: 60 });
    await fetch(`${story.ours.secrets.address}/v1/auth/jwt/role/ci`, { method: "POST", headers, body });

    const drift = await story.pulumi("preview --refresh --diff --expect-no-changes", { code: changesFound });
    await story.pulumi("up --refresh --yes --skip-preview");

    expect(drift.text).toMatch(/~ tokenTtl\s*: "1m" => 600/);
    expect(role()).toMatchObject({ token_ttl: 600 });
  });

  test("a record that was deleted by hand is made again", async () => {
    const headers = { "x-vault-token": story.ours.secrets.token };
    await fetch(`${story.ours.secrets.address}/v1/auth/jwt/role/ci`, { method: "DELETE", headers });

    const { text } = await story.pulumi("up --refresh --yes --skip-preview");

    expect(text).toMatch(/1 created/);
    expect(role()).toMatchObject({ token_ttl: 600 });
  });

  test("another name deletes the old record before it writes the new one", async () => {
    story.rewrite(program({ ...first, name: "pipeline" }));
    story.requests();

    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/1 replaced/);
    expect(story.requests().filter((request) => !request.startsWith("GET"))).toEqual([
      "DELETE auth/jwt/role/ci",
      "POST auth/jwt/role/pipeline",
    ]);
  });

  test("another name in the program alone keeps the record, which the run has just written", async () => {
    story.rewrite(program({ ...first, name: "pipeline" }, "renamed"));

    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/jwt\.Role "pipeline" was written by this run, and is not deleted/);
    expect(role("pipeline")).toMatchObject({ token_ttl: 900 });
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("wrong arguments are refused at once, each by its name, before anything is sent", async () => {
    story.rewrite(program({ ...first, name: "pipeline", tokenTtl: "soon", boundAudience: ["a"] }, "renamed"));
    story.requests();

    const { text } = await story.pulumi("preview", { code: 1 });

    expect(text).toMatch(/property tokenTtl value \{soon\} has a problem: is not a duration/);
    expect(text).toMatch(/boundAudience is not a property of jwt\.Role; did you mean boundAudiences\?/);
    expect(story.requests()).toEqual(["GET sys/health"]);
  });

  test("destroy leaves no record of ours, and the plugin is not waited for", async () => {
    await story.pulumi("destroy --yes --skip-preview");

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

function program(args: object, name = "ci"): string {
  return `const trustplane = require("trustplane/native");
const role = new trustplane.jwt.Role("${name}", ${JSON.stringify(args)});
exports.id = role.id;
exports.ttl = role.tokenTtl;
`;
}
