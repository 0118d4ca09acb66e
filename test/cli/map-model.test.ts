import { describe, expect, it } from "vitest";
import { asSecret } from "../../provider/core/secret-envelope.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
import { ISSUER, jobRole, mapIn, mapOf, wanted, waysOf, wholeStack } from "./map-harness.ts";

const policy = (name: string, text: string) => wanted("sys:Policy", name, { name, policy: text });

describe("the map of a stack", () => {
  it("has a place for every resource, and names those that have none", async () => {
    const others = [
      wanted("sys:SecretsMount", "kv", { path: "kv", type: "kv" }),
      wanted("cloud:LeaseConfig", "lease", { mount: "aws", lease: "1h", leaseMax: "2h" }),
      wanted("cloud:RootRotation", "rotation", { mount: "aws" }),
      wanted("policy:Parameter", "a", { policySetId: "polset-1", key: "a", value: "1" }),
      wanted("policy:Parameter", "b", { policySetId: "polset-1", key: "b", value: "1" }),
    ];
    const map = await mapOf([...wholeStack, ...others]);
    expect(map.leftOut).toEqual([{ class: "policy.Parameter", count: 2 }]);
    const shown = new Set(map.nodes.flatMap(({ resources }) => resources.map((each) => `${each.class} ${each.name}`)));
    const named = [...wholeStack, ...others].map(({ token, name }) => `${token.replace(":", ".")} ${name}`);
    expect([...shown].sort()).toEqual(named.filter((name) => !name.startsWith("policy.")).sort());
    expect(new Set(map.nodes.map(({ kind }) => kind)).size).toBe(12);
  });

  it("tells what the stack declares from what others only name", async () => {
    const { nodes } = await mapOf([jobRole("ci"), policy("other", 'path "x" { capabilities = ["deny"] }')]);
    const found = nodes.map(({ kind, name, resources, facts }) => [kind, name, resources.length, facts.at(-1)]);
    expect(found).toEqual([
      ["mount", "auth/jobs", 0, undefined],
      ["role", "jobs/ci", 1, 'Every token whose project is "acme/ci".'],
      ["policy", "ci", 0, undefined],
      ["policy", "other", 1, "It denies x."],
    ]);
  });

  it("says that it does not know what is secret or not known yet, and shows neither", async () => {
    const secret = asSecret({ project: "the-secret" });
    const map = await mapOf([
      jobRole("a", { boundClaims: UNKNOWN }),
      jobRole("b", { boundClaims: secret }),
      policy("a", UNKNOWN),
    ]);
    const text = JSON.stringify(map);
    expect(text).not.toContain(UNKNOWN);
    expect(text).not.toContain("the-secret");
    expect(waysOf(map).filter((way) => way.includes("> role"))).toEqual([
      "mount auth/jobs > role jobs/a: claims are (secret, or not known yet)",
      "mount auth/jobs > role jobs/b: claims are (secret, or not known yet)",
    ]);
    expect(map.nodes.flatMap(({ facts }) => facts)).toEqual([
      "Every token whose claims are (secret, or not known yet).",
      "Every token whose claims are (secret, or not known yet).",
      "What it allows cannot be read: it is not known.",
    ]);
  });

  it("knows of a state which provider has which server, and which group is in which", async () => {
    const urn = (token: string, name: string) => `urn:pulumi:dev::lab::${typeToken(token)}::${name}`;
    const provider = (name: string) => `urn:pulumi:dev::lab::pulumi:providers:trustplane::${name}::1`;
    const resource = (token: string, name: string, inputs: object, about: object = {}) => ({
      urn: urn(token, name),
      type: typeToken(token),
      custom: true,
      id: name,
      inputs,
      outputs: inputs,
      ...about,
    });
    const role = jobRole("ci", { tokenPolicies: [] }).after ?? {};
    const inner = { name: "inner", type: "internal", memberEntityIds: ["e-1"] };
    const map = await mapIn(
      JSON.stringify({
        deployment: {
          resources: [
            resource("jwt:Role", "one", role, { provider: provider("default_1_0") }),
            resource("jwt:Role", "two", role, { provider: provider("west") }),
            resource("identity:Group", "inner", inner, { outputs: { ...inner, groupId: "g-1" } }),
            resource("identity:Group", "outer", { name: "outer", policies: ["ops"], memberGroupIds: ["g-1", "g-2"] }),
          ],
        },
      }),
    );
    expect(waysOf(map)).toEqual([
      "group inner > group outer",
      "group outer > policy ops",
      'mount auth/jobs > role jobs/ci: project is "acme/ci"',
      'mount auth/jobs (west) > role jobs/ci (west): project is "acme/ci"',
    ]);
    expect(map.stack).toBe("lab/dev");
  });

  it("marks what lint finds, in the record of a set that it is about, without what an exception silences", async () => {
    const set = wanted("jwt:RoleSet", "all", {
      mount: "jobs",
      roles: {
        good: { boundSubject: "x" },
        bad: { roleType: "jwt", boundAudiences: ["a"] },
        long: { boundSubject: "x", tokenTtl: "48h" },
      },
    });
    const rules = async (...words: string[]) => {
      const { nodes } = await mapOf([set], ...words);
      return nodes
        .filter(({ kind }) => kind === "role")
        .map(({ name, findings }) => [name, findings.map(({ rule }) => rule)]);
    };
    expect(await rules()).toEqual([
      ["jobs/bad", ["any-token"]],
      ["jobs/good", []],
      ["jobs/long", ["long-ttl"]],
    ]);
    const file = fileOfTest(
      "trustplane.yml",
      "silence: [{ resource: jwt.*, rule: any-token, reason: known, expires: 2999-01-01 }]",
    );
    expect(await rules("--ignore", file, "--max-ttl", "72h")).toEqual([
      ["jobs/bad", []],
      ["jobs/good", []],
      ["jobs/long", []],
    ]);
  });

  it("has an issuer for each whole address, of which it shows a part", async () => {
    const at = (mount: string, tenant: string, user = "") =>
      wanted("jwt:Config", mount, { mount, jwksUrl: `https://${user}idp.example.com/jwks?tenant=${tenant}` });
    const wholes = [at("a", "needle-1"), at("b", "needle-2"), at("c", "needle-1", "jo:needle@")];
    const { nodes, edges } = await mapOf(wholes);
    const issuers = nodes.filter(({ kind }) => kind === "issuer");
    expect(issuers.map(({ name }) => name)).toEqual(Array(2).fill("https://idp.example.com/jwks?…"));
    expect(issuers.map(({ id }) => edges.filter(({ from }) => from === id).length).sort()).toEqual([1, 2]);
    expect(JSON.stringify([nodes, edges])).not.toContain("needle");
  });

  it("has only what is asked for, what reaches it and what it reaches", async () => {
    const steps = [...wholeStack, jobRole("other")];
    const names = async (pattern: string) => (await mapOf(steps, "--only", pattern)).nodes.map(({ name }) => name);
    expect(await names("jobs/other")).toEqual([ISSUER, "auth/jobs", "jobs/other", "other"]);
    expect(await names("billing")).toEqual(["west", "web", "billing"]);
    await expect(mapOf(steps, "--only", "nobody")).rejects.toThrow("nothing on the map is called nobody.");
  });
});
