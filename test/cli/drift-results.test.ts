import { describe, expect, it } from "vitest";
import { defaultPolicySet } from "../../server/serve.ts";
import { openStack, role } from "./drift-harness.ts";

const parameter = (key: string) => ({
  resource: "policyParameter" as const,
  name: key,
  args: { policySetId: defaultPolicySet, key, value: "1" },
});
const peering = (peerName: string) => ({
  resource: "clusterPeeringToken" as const,
  name: peerName,
  args: { peerName },
});

describe.each(["dynamic", "plugin"] as const)("trustplane drift on a state of the %s host", (host) => {
  it("ends with 0 when nothing differs", async () => {
    const { drift } = await openStack([role("ci"), parameter("limit"), peering("west")], { host });
    const { code, report } = await drift("--json");
    expect(code).toBe(0);
    expect(report()).toMatchObject({ result: "none", stack: "lab/dev", counts: { resources: 3, unchanged: 3 } });
  });

  it("ends with 2 and names each property of a record that was changed by hand", async () => {
    const { drift, raw } = await openStack([role("ci", { tokenTtl: "15m" }), role("nightly")], { host });
    await raw("secrets").call("POST auth/jwt/role/ci", {
      role_type: "jwt",
      token_ttl: 43_200,
      token_policies: ["admin"],
    });
    const { code, report } = await drift("--json");
    expect(code).toBe(2);
    expect(report()).toMatchObject({ result: "drift", counts: { resources: 2, changed: 1, unchanged: 1, missing: 0 } });
    expect(report().resources).toEqual([
      {
        urn: expect.stringMatching(/::ci$/),
        type: "jwt.Role",
        name: "ci",
        id: "auth/jwt/role/ci",
        status: "changed",
        declaredAt: { file: "index.ts", line: 7 },
        writeOnly: [],
        properties: [
          {
            property: "tokenTtl",
            kind: "input",
            expected: "15m",
            actual: "12h",
            changes: [{ path: "tokenTtl", before: "15m", after: "12h" }],
          },
          {
            property: "tokenPolicies",
            kind: "input",
            actual: ["admin"],
            changes: [{ path: "tokenPolicies", after: ["admin"] }],
          },
        ],
      },
    ]);
  });

  it("ends with 2 when a record is gone", async () => {
    const { drift, raw } = await openStack([role("ci")], { host });
    await raw("secrets").call("DELETE auth/jwt/role/ci");
    const { code, report } = await drift("--json");
    expect(code).toBe(2);
    expect(report().resources).toMatchObject([{ name: "ci", status: "missing" }]);
  });
});
