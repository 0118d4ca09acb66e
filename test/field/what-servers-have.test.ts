// What a server has is never wrong: rules are for what a program writes.
import { expect, it } from "vitest";
import { openAdoption } from "../cli/adopt-harness.ts";
import { AS_OTHERS_TUNE } from "../support/adopt-suite.ts";

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
