import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { makeSecret, tracesIn } from "./needle.ts";
import { changesFound, openingMs, openStory, type Story } from "./pulumi-story.ts";

const [library] = libraries;

/** Each test goes on where the one before it ended. */
describe("the life of a set of roles", needsPulumi(), () => {
  let story: Story;
  const roles = () =>
    Object.keys(story.ours.records().secrets)
      .filter((path) => path.startsWith("auth/jwt/role/"))
      .map((path) => path.replace("auth/jwt/role/", ""))
      .sort();
  const writes = () => story.requests().filter((request) => !request.startsWith("GET"));

  beforeAll(async () => {
    story = await openStory({ program: { source: singles(["api", "web"]) } });
    return story.close;
  }, openingMs);

  test("single resources become a set in one run, which writes nothing to the server", async () => {
    await story.pulumi("up --yes --skip-preview");
    story.requests();
    story.rewrite(set({ api: {}, web: {} }));

    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/\+ 1 created\s+- 2 deleted/);
    expect(writes()).toEqual([]);
    expect(roles()).toEqual(["api", "web"]);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("a difference is shown record by record and property by property, and only what changed is written", async () => {
    story.rewrite(set({ api: { tokenTtl: "10m" }, web: {}, worker: {} }));

    const preview = await story.pulumi("preview --diff");
    expect(preview.text).toMatch(/~ roles\s*: \{\n\s+~ api\s*: \{\n\s+\+ tokenTtl\s*: "10m"/);
    expect(preview.text).toMatch(/\+ worker\s*: \{/);
    expect(preview.text).not.toMatch(/web/);

    story.requests();
    await story.pulumi("up --yes --skip-preview");
    expect(writes().sort()).toEqual(["POST auth/jwt/role/api", "POST auth/jwt/role/worker"]);
  });

  test("an exclusive set says in a preview what it removes, and removes it", async () => {
    await byHand("POST", "stray");
    story.rewrite(set({ api: { tokenTtl: "10m" }, web: {}, worker: {} }, { exclusive: true }));

    const { text } = await story.pulumi("preview --diff");
    expect(text).toMatch(/1 record \(stray\) that the program does not name is removed/);

    await story.pulumi("up --yes");
    expect(roles()).toEqual(["api", "web", "worker"]);
    await byHand("POST", "stray");
    await story.pulumi("preview --expect-no-changes", { code: changesFound });
    await byHand("DELETE", "stray");
    await story.pulumi("preview --expect-no-changes");
  });

  test("a whole mount is imported as a set", async ({ skip }) => {
    skip(library === "trustplane", "Pulumi imports only what a plugin serves");
    await story.pulumi("state delete --yes --all --force");
    story.rewrite("");
    await story.pulumi(
      "import trustplane:jwt/roleSet:RoleSet roles auth/jwt/role --yes --skip-preview --protect=false --generate-code=false",
    );

    const state = JSON.stringify(await story.sandbox.export());
    for (const name of ["api", "web", "worker"]) expect(state).toContain(`"${name}":{`);
    story.rewrite(set({ api: { tokenTtl: "10m" }, web: {}, worker: {} }));
    await story.pulumi("preview --expect-no-changes");
  });

  test("a set becomes single resources in one run, which writes nothing to the server", async () => {
    story.requests();
    story.rewrite(singles(["api", "web", "worker"], { api: "10m" }));

    await story.pulumi("up --yes --skip-preview");

    expect(writes()).toEqual([]);
    expect(roles()).toEqual(["api", "web", "worker"]);
    await story.pulumi("preview --refresh --expect-no-changes");
    await story.pulumi("destroy --yes --skip-preview");
    expect(roles()).toEqual([]);
  });

  async function byHand(method: string, name: string) {
    const { address, token } = story.ours.secrets;
    const body = JSON.stringify({ role_type: "jwt", user_claim: "sub", bound_subject: name });
    await fetch(`${address}/v1/auth/jwt/role/${name}`, {
      method,
      headers: { "x-vault-token": token },
      ...(method === "POST" ? { body } : {}),
    });
  }
});

describe("the life of a set of parameters", needsPulumi(), () => {
  test("a sensitive value is in no state, its neighbours are readable, and a parameter of somebody else goes where the set is exclusive", async () => {
    const secret = makeSecret();
    const story = await openStory({
      program: { source: parameters },
      env: ({ ours }) => ({ SECRET: secret, POLICY_SET: ours.policy.policySet }),
    });
    try {
      const { text } = await story.pulumi("up --yes --skip-preview --diff");
      const state = JSON.stringify(await story.sandbox.export());
      expect(tracesIn(text + state, { secret })).toEqual([]);
      expect(state).toContain("eu-west-1");
      expect(tracesIn(JSON.stringify(story.ours.records().policy), { secret })).toEqual(["secret"]);
      await story.pulumi("preview --refresh --expect-no-changes");

      const { address, token, policySet } = story.ours.policy;
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" };
      const attributes = { key: "stray", value: "x", category: "policy-set" };
      const body = JSON.stringify({ data: { type: "vars", attributes } });
      await fetch(`${address}/api/v2/policy-sets/${policySet}/parameters`, { method: "POST", headers, body });
      story.rewrite(parameters.replace("parameters:", "exclusive: true, parameters:"));
      await story.pulumi("up --yes");
      const keys = Object.values(story.ours.records().policy).map((record) => Reflect.get(Object(record), "key"));
      expect(keys.sort()).toEqual(["region", "token"]);

      await story.pulumi("destroy --yes --skip-preview");
      expect(story.ours.records().policy).toEqual({});
    } finally {
      await story.close();
    }
  });
});

const common = 'roleType: "jwt", userClaim: "sub", boundAudiences: ["a"]';

function singles(names: readonly string[], ttls: Readonly<Record<string, string>> = {}): string {
  const declared = names.map(
    (name) =>
      `new jwt.Role("${name}", { name: "${name}", ${common}, tokenTtl: "${ttls[name] ?? "15m"}", boundSubject: "${name}" });`,
  );
  return `const { jwt } = require("${library}");\n${declared.join("\n")}\n`;
}

function set(roles: Readonly<Record<string, object>>, more: object = {}): string {
  const all = Object.fromEntries(Object.entries(roles).map(([name, own]) => [name, { boundSubject: name, ...own }]));
  return `const { jwt } = require("${library}");
new jwt.RoleSet("roles", { defaults: { ${common}, tokenTtl: "15m" }, roles: ${JSON.stringify(all)}, ...${JSON.stringify(more)} });
`;
}

const parameters = `const { policy } = require("${library}");
new policy.ParameterSet("p", { policySetId: process.env.POLICY_SET, parameters: {
  region: { value: "eu-west-1" }, token: { value: process.env.SECRET, sensitive: true } } });
`;
