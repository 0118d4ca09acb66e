// What a server has is never wrong: rules are for what a program writes.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAdoption, temporaryFolder } from "../cli/adopt-harness.ts";
import { openStack, run } from "../cli/drift-harness.ts";
import { AS_OTHERS_TUNE } from "../support/adopt-suite.ts";
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
  const folder = temporaryFolder();
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
    "What it allows cannot be read: capabilities is set twice",
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
