import { describe, expect, it } from "vitest";
import { resourceChanges } from "../../cli/stack/resource-changes.ts";
import { sysPolicy } from "../../provider/resources/sys/policy.ts";
import { openStack, type Wanted } from "./drift-harness.ts";

const text = `# keys
path "secret/data/ci/*" { capabilities = ["read", "list"] }
path "sys/mounts" { capabilities = ["read"] }`;
const policy: Wanted = { resource: "sysPolicy", name: "ci", args: { name: "ci", policy: text } };

const changes = (before: string, after: string) =>
  resourceChanges(sysPolicy, { name: "ci", policy: before }, { name: "ci", policy: after });

describe("a changed policy", () => {
  it("is shown by its rules and capabilities", () => {
    const after = `path "sys/mounts" { capabilities = ["read"] max_wrapping_ttl = "1h" }
      path "secret/data/ci/*" { capabilities = ["update", "list"] }
      path "auth/token/create" { capabilities = ["deny"] }`;
    expect(changes(text, after)).toEqual([
      { path: 'policy["auth/token/create"]', after: { capabilities: ["deny"] } },
      { path: 'policy["secret/data/ci/*"].capabilities[]', before: "read" },
      { path: 'policy["secret/data/ci/*"].capabilities[]', after: "update" },
      { path: 'policy["sys/mounts"].max_wrapping_ttl', after: "1h" },
    ]);
  });

  it("is shown as text where one of the texts cannot be read", () => {
    expect(changes(text, "no policy")).toEqual([{ path: "policy", before: text, after: "no policy" }]);
  });

  it("is none where the texts mean the same", () => {
    expect(changes(text, text.replace("# keys\n", "").replace('"read", "list"', '"list", "read"'))).toEqual([]);
  });
});

describe("trustplane drift of a policy", () => {
  it("names the capability that was added by hand, and ends with 0 for a comment", async () => {
    const { drift, raw } = await openStack([policy]);
    await raw("secrets").call("POST sys/policies/acl/ci", { policy: `# by hand\n${text}` });
    expect((await drift("--json")).code).toBe(0);
    await raw("secrets").call("POST sys/policies/acl/ci", { policy: text.replace('"list"', '"list", "sudo"') });
    const { code, report } = await drift("--json");
    expect(code).toBe(2);
    expect(report().resources).toMatchObject([
      { properties: [{ changes: [{ path: 'policy["secret/data/ci/*"].capabilities[]', after: "sudo" }] }] },
    ]);
  });

  // @covers beyond: Policies > GET sys/policies/acl?list=true
  it("finds policies that the stack does not manage, but none of the server's own", async () => {
    const { drift, raw } = await openStack([policy]);
    await raw("secrets").call("POST sys/policies/acl/team/by-hand", { policy: text });
    const { report } = await drift("--json", "--unmanaged");
    expect(report().unmanaged).toEqual([{ type: "sys.Policy", id: "sys/policies/acl/team/by-hand" }]);
  });
});
