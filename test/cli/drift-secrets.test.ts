import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultPolicySet } from "../../server/serve.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { type DriftOptions, openStack, role, sealed, type Wanted } from "./drift-harness.ts";

const secret = `needle-${randomBytes(8).toString("hex")}`;
const changedSecret = `needle-${randomBytes(8).toString("hex")}`;

const root: Wanted = {
  resource: "cloudRootConfig",
  name: "root",
  args: { accessKey: "AKIAFIRST", secretKey: secret, region: "eu-west-1" },
};
const parameter: Wanted = {
  resource: "policyParameter",
  name: "limit",
  args: { policySetId: defaultPolicySet, key: "limit", value: secret, sensitive: true },
};
const token: Wanted = { resource: "clusterPeeringToken", name: "west", args: { peerName: "west" } };
/** The program keeps a claim secret, which the server shows. */
const secretClaim: Wanted = { ...role("ci", { boundClaims: { project: secret } }), secrets: ["boundClaims"] };

/** Every report of one run, and what was printed beside them. */
async function everything(wanted: readonly Wanted[], options: DriftOptions, change: Change) {
  const folder = folderOfTest();
  const formats = ["json", "markdown", "sarif", "html"];
  const stack = await openStack(wanted, options);
  await change(stack);
  const flags = formats.flatMap((format) => [`--${format}`, join(folder, format)]);
  const { code, out, err } = await stack.drift(...flags, "--unmanaged", "--fix-with", "up");
  const files = formats.map((format) => readFileSync(join(folder, format), "utf8"));
  return { code, texts: [out, err, ...files], report: JSON.parse(files[0] ?? "") };
}
type Change = (stack: Awaited<ReturnType<typeof openStack>>) => Promise<unknown>;

const byHand: Change = async ({ raw, resources }) => {
  await raw("secrets").call("POST cloud/config/root", { access_key: "AKIASECOND", secret_key: changedSecret });
  await raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", bound_claims: { project: changedSecret } });
  const id = resources.find(({ type }) => /arameter/.test(type))?.outputs["parameterId"];
  const data = { type: "vars", id, attributes: { value: changedSecret } };
  await raw("policy").call(`PATCH policy-sets/${defaultPolicySet}/parameters/${id}`, { data });
};

describe.each([
  ["encrypted", false],
  ["decrypted", true],
])("a state with %s secrets", (_, isDecrypted) => {
  it.each(["dynamic", "plugin"] as const)("of the %s host shows none of them in any report", async (host) => {
    const { code, texts } = await everything([root, parameter, token, secretClaim], { host, isDecrypted }, byHand);
    expect(code).toBe(2);
    for (const text of texts) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(changedSecret);
      expect(text).not.toMatch(/needle|eyJ/);
    }
    // Each report has the id of the key, and a warning that nobody knows whether it was rotated.
    expect(texts.filter((text) => text.includes("AKIASECOND"))).toHaveLength(6);
  });

  it("finds no drift where there is none", async () => {
    const { code, texts, report } = await everything(
      [root, parameter, token, secretClaim],
      { isDecrypted },
      async () => {},
    );
    expect(code).toBe(0);
    // The key is that of the state, also where nothing there can be opened to compare it with the program's.
    expect(texts[1]).toBe("");
    expect(report.counts).toMatchObject({ resources: 4, unchanged: 4 });
  });
});

describe("a value that the server never shows", () => {
  it("is verified by what changes with it, or reported as unverifiable", async () => {
    const { report } = await everything([root, parameter, token], {}, async () => {});
    const values = report.resources.flatMap(({ type, writeOnly }: { type: string; writeOnly: object[] }) =>
      writeOnly.map((value) => ({ type, ...value })),
    );
    expect(values).toEqual([
      {
        type: "cloud.RootConfig",
        property: "secretKey",
        verdict: "verified",
        witness: "accessKey",
        reason: "accessKey, which changes with it, is the same; a wrong value beside it would not show",
        fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
      {
        type: "cluster.PeeringToken",
        property: "peeringToken",
        verdict: "unverifiable",
        witness: "peeringId",
        reason: "peeringId is the same, which a new value can leave as it is",
      },
      {
        type: "policy.Parameter",
        property: "value",
        verdict: "unverifiable",
        reason: "the server shows neither it nor a property that changes with it",
        fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
    ]);
    expect(report.counts.unverifiable).toBe(2);
  });

  it("is not verified by an id that a token issued by another hand leaves as it is", async () => {
    const { report } = await everything([token], {}, ({ raw }) =>
      raw("cluster").call("POST peering/token", { PeerName: "west" }),
    );
    expect(report.resources[0].writeOnly).toMatchObject([{ property: "peeringToken", verdict: "unverifiable" }]);
  });

  it("is said to have changed when its witness has", async () => {
    const { report } = await everything([root], {}, ({ raw }) =>
      raw("secrets").call("POST cloud/config/root", { access_key: "AKIASECOND", secret_key: changedSecret }),
    );
    expect(report.resources[0].writeOnly).toMatchObject([{ property: "secretKey", verdict: "changed" }]);
    expect(report.resources[0].properties).toMatchObject([
      { property: "accessKey", expected: "AKIAFIRST", actual: "AKIASECOND" },
    ]);
  });

  it("is not said to have changed by a witness that the state does not have yet", async () => {
    const { report } = await everything([token], {}, async ({ resources }) => {
      for (const each of resources) Reflect.deleteProperty(each.outputs, "peeringId");
    });
    expect(report.resources[0].writeOnly).toMatchObject([{ property: "peeringToken", verdict: "unverifiable" }]);
  });

  it("has no witness where the server is expected to rotate it", async () => {
    const rotated = { ...root, args: { ...root.args, rotatedByServer: true } };
    const { code, report } = await everything([rotated], {}, ({ raw }) =>
      raw("secrets").call("POST cloud/config/root", { access_key: "AKIASECOND", secret_key: "x", region: "eu-west-1" }),
    );
    expect(code).toBe(0);
    expect(report.resources[0].writeOnly).toMatchObject([{ property: "secretKey", verdict: "unverifiable" }]);
  });
});

describe("a secret of the program that the server shows", () => {
  const change: Change = ({ raw }) =>
    raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", bound_claims: { project: changedSecret } });

  it("cannot be compared while it is encrypted, and the report says how it can", async () => {
    const { code, report } = await everything([secretClaim], {}, change);
    expect(code).toBe(0);
    expect(report.resources[0].writeOnly).toEqual([
      {
        property: "boundClaims",
        verdict: "unverifiable",
        reason: "it is encrypted in the state; --decrypt compares it",
      },
    ]);
  });

  it("is compared once it is decrypted, and its change is seen without its values", async () => {
    const { code, report } = await everything([secretClaim], { isDecrypted: true }, change);
    expect(code).toBe(2);
    const [claims] = report.resources[0].properties;
    const fingerprint = expect.stringMatching(/^[0-9a-f]{8}$/);
    const fingerprints = { expectedFingerprint: fingerprint, actualFingerprint: fingerprint };
    expect(claims).toEqual({ property: "boundClaims", kind: "input", secret: true, changes: [], ...fingerprints });
    expect(claims.actualFingerprint).not.toBe(claims.expectedFingerprint);
  });
});

describe("one secret claim among others, as Pulumi keeps it inside the map", () => {
  const claims = { ref: "main", project: secret };
  const sealedInside =
    (isDecrypted: boolean, project = secret): Change =>
    async ({ raw, resources }) => {
      const boundClaims = { ...claims, project: sealed(secret, isDecrypted) };
      for (const { id, inputs, outputs } of resources.filter(({ id }) => id === "auth/jwt/role/ci")) {
        for (const values of [inputs, outputs]) Object.assign(values, { boundClaims });
        await raw("secrets").call(`POST ${id}`, { role_type: "jwt", bound_claims: { ...claims, project } });
      }
    };

  it("hides all of them while it is encrypted, and the report says how they can be compared", async () => {
    const { code, report } = await everything([role("ci", { boundClaims: claims })], {}, sealedInside(false));
    expect(code).toBe(0);
    expect(report.resources[0].writeOnly).toMatchObject([
      {
        property: "boundClaims",
        verdict: "unverifiable",
        reason: "it is encrypted in the state; --decrypt compares it",
      },
    ]);
  });

  it.each([
    ["stayed", secret, 0],
    ["changed", changedSecret, 2],
  ])("is compared once it is decrypted, and shown in no report: it has %s", async (_, project, expected) => {
    const wanted = [role("ci", { boundClaims: claims })];
    const { code, texts } = await everything(wanted, {}, sealedInside(true, project));
    expect(code).toBe(expected);
    for (const text of texts) expect(text).not.toContain("needle");
  });
});
