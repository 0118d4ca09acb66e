// What a server has is never wrong: rules are for what a program writes.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine, inputsOf } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { adopt, openAdoption } from "../cli/adopt-harness.ts";
import { openStack, run } from "../cli/drift-harness.ts";
import { AS_OTHERS_TUNE } from "../support/adopt-suite.ts";
import { passedOn, serve } from "../support/loopback-server.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";

// https://github.com/hashicorp/terraform-provider-vault/blob/main/vault/auth_mount.go
it("a mount that terraform-provider-vault has tuned holds lists of one empty text, and is adopted", async () => {
  const { raw, adopt } = await openAdoption();
  await raw("secrets").call("POST sys/auth/jobs", { type: "jwt" });
  await raw("secrets").call("POST sys/auth/jobs/tune", AS_OTHERS_TUNE);
  expect(await raw("secrets").call("GET sys/auth/jobs/tune")).toMatchObject(AS_OTHERS_TUNE);
  const { code, out, files } = await adopt("--service", "secrets");
  expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining("left out") });
  expect(Object.values(files).join("\n")).toMatch(/new trustplane\.sys\.AuthMount\(/);
  expect(Object.values(files).join("\n")).not.toMatch(/passthroughRequestHeaders|auditNonHmac|allowedResponseHeaders/);
});

// https://github.com/hashicorp/vault/issues/31215
it("a policy with one attribute twice, which older servers hold, is named, and stops no answer about the others", async () => {
  const { env, raw } = await openStack(
    [{ resource: "sysAuthMount", name: "jobs", args: { path: "jobs", type: "jwt" } }],
    { profile: "vault-1.19" },
  );
  const { call } = raw("secrets");
  await call("POST sys/policies/acl/twice", {
    policy: 'path "a" {\n capabilities = ["read"]\n capabilities = ["list"]\n}',
  });
  await call("POST auth/jobs/config", { jwt_validation_pubkeys: [publicKeyPem()] });
  const role = { role_type: "jwt", user_claim: "sub", bound_audiences: "x" };
  await call("POST auth/jobs/role/odd", { ...role, token_policies: ["twice"] });
  await call("POST auth/jobs/role/plain", { ...role, token_policies: ["default"] });
  const folder = folderOfTest();
  writeFileSync(
    join(folder, "trust.yml"),
    `tests:
  - name: plain
    login: { mount: jobs, role: plain, claims: { sub: a, aud: x } }
    expect: { policies: [default] }
  - name: odd
    login: { mount: jobs, role: odd, claims: { sub: a, aud: x } }
    expect: { policies: [twice], mayNot: { "a": [delete] } }
`,
  );
  const live = (...words: string[]) => run([...words, "--live"], env);
  const { code, out } = await live("test", join(folder, "trust.yml"));
  expect(out).toContain("2 tests: 1 passed, 1 failed");
  expect(out).toContain("nobody knows what policy twice allows");
  expect(code).toBe(2);
  expect((await live("explain", "role", "odd")).out).toContain(
    'What it allows cannot be read: "capabilities" is set twice',
  );
});

// https://github.com/hashicorp/terraform-provider-tfe/pull/1234, https://github.com/hashicorp/terraform-provider-tfe/issues/185
it.each([
  [
    "the newest version of its program",
    { "agent-enabled": true, "policy-tool-version": "latest" },
    'policyToolVersion: "latest"',
  ],
  [
    "a repository without a branch",
    { "vcs-repo": { identifier: "acme/policies", "oauth-token-id": "ot-abc" } },
    'identifier: "acme/policies"',
  ],
])("a policy set that was made in the browser has %s, and is adopted", async (_, attributes, line) => {
  const { raw, adopt } = await openAdoption();
  await raw("policy").call("POST organizations/demo/policy-sets", {
    data: { type: "policy-sets", attributes: { name: "made-in-browser", kind: "sentinel", ...attributes } },
  });
  const { code, out, files } = await adopt("--service", "policy", "--organization", "demo");
  expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining("left out") });
  expect(Object.values(files).join("\n")).toContain(line);
});

// https://github.com/hashicorp/terraform-provider-tfe/pull/2109, https://github.com/hashicorp/terraform-provider-tfe/pull/2093,
// https://github.com/hashicorp/terraform-provider-tfe/pull/2030, https://github.com/hashicorp/terraform-provider-tfe/pull/1990,
// https://github.com/hashicorp/terraform-provider-tfe/issues/2223: since tags are generally available, a request about them needs their logic.
describe("a policy set with what this release does not know", () => {
  /** Sets of which every answer has more than the embedded server stores. */
  async function openNewer(kind: string) {
    const { env, raw } = await openAdoption();
    const { call } = raw("policy");
    const excluded = { data: [{ type: "projects", id: "prj-demo000000000001" }] };
    const { data } = (await call("POST organizations/demo/policy-sets", {
      data: { type: "policy-sets", attributes: { name: "newer" }, relationships: { "project-exclusions": excluded } },
    })) as { data: { id: string } };
    const more = {
      kind,
      "policy-update-patterns": ["sets/**/*.sentinel"],
      "tag-selectors": [{ "tag-key": "env", "tag-value": "prod", "is-exclude": false }],
      "tag-selector-matching-logic": "any",
    };
    const sent: string[] = [];
    const { origin } = await serve(async (incoming, outgoing) => {
      const { body, answer } = await passedOn(env["TFE_ADDRESS"] ?? "", incoming);
      if (body !== "") sent.push(`${incoming.method} ${body}`);
      outgoing.writeHead(answer.status, { "content-type": "application/vnd.api+json", "tfp-api-version": "2.6" });
      outgoing.end(
        JSON.stringify(await answer.json()).replaceAll('"kind":"sentinel"', JSON.stringify(more).slice(1, -1)),
      );
    });
    const newer = { ...env, TFE_ADDRESS: origin };
    const engine = createEngine({ config: () => undefined, env: newer, log: () => {} });
    const found = await engine.read(definitions.policyPolicySet, `demo/${data.id}`, {});
    return { env: newer, engine, found, sent, path: `policy-sets/${data.id}`, excluded, call };
  }

  it.each(["sentinel", "tfpolicy"])("keeps it through an update, of kind %s", async (kind) => {
    const { engine, found, sent, path, excluded, call } = await openNewer(kind);
    const { id = "", state = {} } = found ?? {};
    // The kind that is there without being said is recorded as such.
    expect(state).toMatchObject({ name: "newer", ...(kind === "sentinel" ? {} : { kind }) });
    const inputs = inputsOf(definitions.policyPolicySet, state);
    expect((await engine.diff(definitions.policyPolicySet, state, inputs)).changed).toEqual([]);
    await engine.update(definitions.policyPolicySet, id, state, { ...inputs, description: "ours" });
    expect(sent.map((request) => JSON.parse(request.replace(/^PATCH /, "")).data)).toEqual([
      { type: "policy-sets", id: path.replace(/.*\//, ""), attributes: { description: "ours" } },
    ]);
    expect(await call(`GET ${path}`)).toMatchObject({
      data: { attributes: { description: "ours" }, relationships: { "project-exclusions": excluded } },
    });
  });

  it("is adopted, and one of an unknown kind is named as left out, also where there is nothing else", async () => {
    const { env } = await openNewer("sentinel");
    const flags = ["--service", "policy", "--organization", "demo"];
    expect(await adopt(env, flags)).toMatchObject({ code: 0, out: expect.not.stringContaining("left out") });
    const { code, err } = await adopt((await openNewer("tfpolicy")).env, flags);
    expect(code).toBe(1);
    expect(err).toContain('policy.PolicySet newer is left out: kind must be one of "sentinel", "opa"');
  });
});

// https://github.com/hashicorp/vault/issues/29851
it("a part of the root configuration that another hand writes resets the rest: that is drift, and the next update restores it", async () => {
  const template = "{{ random 20 }}";
  const root = {
    mount: "cloud",
    accessKey: "AKIAEXAMPLE",
    secretKey: "s",
    usernameTemplate: template,
    region: "eu-west-1",
  };
  const { drift, env, raw, resources } = await openStack([{ resource: "cloudRootConfig", name: "root", args: root }]);
  const { call } = raw("secrets");
  await call("POST cloud/config/root", { region: "eu-west-1", username_template: "" });
  const { code, out } = await drift();
  expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining("usernameTemplate") });
  const [{ outputs = {} } = {}] = resources.filter(({ id }) => id === "cloud/config/root");
  const engine = createEngine({ config: () => undefined, env, log: () => {} });
  const found = await engine.read(definitions.cloudRootConfig, "cloud/config/root", outputs);
  const { inputs } = await engine.check(definitions.cloudRootConfig, root);
  await engine.update(definitions.cloudRootConfig, "cloud/config/root", found?.state ?? {}, inputs);
  expect(await call("GET cloud/config/root")).toMatchObject({ data: { username_template: template } });
});

// https://github.com/hashicorp/vault/issues/19412, https://github.com/hashicorp/vault-plugin-auth-jwt/pull/365
it.each(["typescript", "hcl"])(
  "what the server fills in, and options of a provider, are adopted as they are, in %s",
  async (language) => {
    const { raw, adopt } = await openAdoption();
    const { call } = raw("secrets");
    const assumed = { credential_type: "assumed_role", role_arns: "arn:aws:iam::123456789012:role/a" };
    await call("POST cloud/roles/who", { ...assumed, session_tags: { who: "{{identity.entity.name}}" } });
    await call("POST sys/auth/people", { type: "oidc" });
    await call("POST auth/people/config", {
      jwt_validation_pubkeys: [publicKeyPem()],
      provider_config: { provider: "azure", fetch_groups: true },
    });
    const { code, out, files } = await adopt("--service", "secrets", "--language", language);
    expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining("left out") });
    const text = Object.values(files).join("\n");
    expect(text).toContain('"{{identity.entity.name}}"');
    expect(text).toMatch(/fetch_groups"?\s*[:=] true/);
  },
);
