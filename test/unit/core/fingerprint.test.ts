import { createHash, randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hasFingerprint, secretProperties, withFingerprints } from "../../../provider/core/fingerprint";
import { FINGERPRINT_KEY, FINGERPRINTS } from "../../../provider/core/state-names";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { cloudRootConfig } from "../../../provider/resources/cloud/root-config";
import { jwtConfig } from "../../../provider/resources/jwt/config";
import { policyParameter } from "../../../provider/resources/policy/parameter";

const secret = randomUUID();
const inputs = { oidcClientSecret: secret };
const made = (values: Record<string, unknown>, olds = {}) =>
  withFingerprints(jwtConfig, values, olds) as { fingerprints: Record<string, string>; fingerprintKey: string };

describe("a fingerprint", () => {
  it("stays the same as long as value and key do", () => {
    const first = made(inputs);
    expect(made(inputs, first)).toEqual(first);
  });

  it("changes with the value, under the same key", () => {
    const first = made(inputs);
    const second = made({ oidcClientSecret: randomUUID() }, first);
    expect(second.fingerprintKey).toBe(first.fingerprintKey);
    expect(second.fingerprints["oidcClientSecret"]).not.toBe(first.fingerprints["oidcClientSecret"]);
  });

  it("is made under a key of its own for every resource, so equal secrets do not show", () => {
    const [a, b] = [made(inputs), made(inputs)];
    expect(a.fingerprintKey).not.toBe(b.fingerprintKey);
    expect(a.fingerprints).not.toEqual(b.fingerprints);
  });

  it("is no bare hash of the value, so that a guess cannot be tried", () => {
    const print = made(inputs).fingerprints["oidcClientSecret"] ?? "";
    expect(print).toMatch(/^[0-9a-f]{8}$/);
    for (const algorithm of ["sha256", "sha1", "md5"]) {
      for (const text of [secret, JSON.stringify(secret)]) {
        expect(createHash(algorithm).update(text).digest("hex")).not.toContain(print);
      }
    }
  });

  it("is made of secrets that are set and known, and of nothing else", () => {
    const printed = made({
      oidcClientSecret: UNKNOWN,
      oidcClientId: "id",
      providerConfig: { provider: "okta", api_token: randomBytes(9).toString("hex") },
    });
    expect(Object.keys(printed.fingerprints)).toEqual(["providerConfig"]);
    expect(made({ oidcClientId: "id", oidcClientSecret: "" })).toEqual({ oidcClientId: "id", oidcClientSecret: "" });
  });

  it("goes away with the last secret", () => {
    expect(made({ oidcClientId: "id", ...pickPrints(made(inputs)) })).toEqual({ oidcClientId: "id" });
  });
});

describe("a value that is remembered", () => {
  const first = withFingerprints(cloudRootConfig, { accessKey: "AKIAFIRST", secretKey: secret }, {});

  it("has a fingerprint though it is no secret, and is known again by it", () => {
    expect(hasFingerprint(first, "accessKey", "AKIAFIRST")).toBe(true);
    expect(hasFingerprint(first, "accessKey", "AKIASECOND")).toBe(false);
    expect(secretProperties(cloudRootConfig, first)).toEqual(["secretKey"]);
  });

  it.each([[{}], [{ [FINGERPRINTS]: first[FINGERPRINTS] }], [{ [FINGERPRINT_KEY]: first[FINGERPRINT_KEY] }]])(
    "is not known without key and fingerprint",
    (values) => {
      expect(hasFingerprint(values, "accessKey", "AKIAFIRST")).toBe(false);
    },
  );
});

describe("what is secret", () => {
  it.each([
    [{ oidcClientSecret: "x" }, ["oidcClientSecret"]],
    [{ providerConfig: { provider: "azure" } }, ["oidcClientSecret"]],
    [{ providerConfig: { gsuite_service_account: "x" } }, ["oidcClientSecret", "providerConfig"]],
    [{ providerConfig: UNKNOWN }, ["oidcClientSecret", "providerConfig"]],
    [{ providerConfig: { api_token: UNKNOWN } }, ["oidcClientSecret", "providerConfig"]],
  ])("in the configuration %j is %j", (values, secrets) => {
    expect(secretProperties(jwtConfig, values)).toEqual(secrets);
  });

  it.each([
    [{ value: "x" }, []],
    [{ value: "x", sensitive: false }, []],
    [{ value: "x", sensitive: true }, ["value"]],
    // What may turn out to be sensitive is hidden meanwhile.
    [{ value: "x", sensitive: UNKNOWN }, ["value"]],
  ])("in the parameter %j is %j", (values, secrets) => {
    expect(secretProperties(policyParameter, values)).toEqual(secrets);
  });
});

function pickPrints(values: Record<string, unknown>) {
  return { [FINGERPRINTS]: values[FINGERPRINTS], [FINGERPRINT_KEY]: values[FINGERPRINT_KEY] };
}
