import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { cloudRootConfig } from "../../../provider/resources/cloud/root-config";
import { expectRefusals } from "./expect-refusals";

const roleArn = "arn:aws:iam::123456789012:role/deploy";
const keys = { accessKey: "AKIA", secretKey: randomUUID() };
const window = { rotationSchedule: "0 0 * * 6", rotationWindow: "1h" };

// @covers cloud: What the service does > root credentials
// @covers cloud: Root configuration > access_key
// @covers cloud: Root configuration > secret_key
// @covers cloud: Root configuration > role_arn
// @covers cloud: Root configuration > identity_token_audience
describe("a cloud.RootConfig", () => {
  expectRefusals("cloudRootConfig", 0, {
    accepted: [
      keys,
      { ...keys, roleArn },
      { roleArn, identityTokenAudience: "vault", identityTokenTtl: "1h" },
      { maxRetries: -1 },
      { maxRetries: 0, region: "eu-west-1", iamEndpoint: "http://127.0.0.1:1", stsEndpoint: "http://127.0.0.1:1" },
      { stsFallbackEndpoints: ["a", "b"], stsFallbackRegions: ["c", "d"] },
      { stsFallbackEndpoints: [], stsFallbackRegions: null },
      window,
      { rotationPeriod: "24h", disableAutomatedRotation: false },
      { usernameTemplate: '{{ if (eq .Type "STS") }}a{{ else }}b{{ end }}' },
      { onDelete: "blank" },
    ],
    refused: [
      [{ accessKey: "AKIA" }, "secretKey", "must be set: accessKey and secretKey belong together"],
      [{ secretKey: "x" }, "accessKey", /belong together/],
      [{ accessKey: "" }, "accessKey", /must not be empty: leave accessKey and secretKey out/],
      [{ secretKey: "" }, "secretKey", /must not be empty/],
      [{ ...keys, roleArn, identityTokenAudience: "vault" }, "accessKey", /cannot be set together/],
      [{ identityTokenAudience: "vault" }, "identityTokenAudience", "needs roleArn to be set"],
      [{ identityTokenTtl: -1 }, "identityTokenTtl", "must not be negative"],
      [{ maxRetries: -2 }, "maxRetries", "must be at least -1"],
      [{ maxRetries: "3" }, "maxRetries", "must be a whole number"],
      [
        { stsFallbackEndpoints: ["a", "b"], stsFallbackRegions: ["c"] },
        "stsFallbackEndpoints",
        /as many elements as stsFallbackRegions/,
      ],
      [{ stsFallbackRegions: ["c"] }, "stsFallbackEndpoints", /as many elements as stsFallbackRegions/],
      [{ rotationWindow: "1h" }, "rotationWindow", "needs rotationSchedule to be set"],
      [{ ...window, rotationPeriod: "24h" }, "rotationSchedule", /cannot be set together/],
      [{ onDelete: "delete" }, "onDelete", 'must be one of "forget", "blank"'],
    ],
    advised: [
      [{ roleArn: "deploy" }, "roleArn", "must begin with `arn:`"],
      [{ usernameTemplate: "{{ .Type" }, "usernameTemplate", /without }}/],
      [{ usernameTemplate: "ci-{{ random 10 }}" }, "usernameTemplate", /should distinguish \.Type/],
    ],
  });

  it("keeps empty keys that an earlier version has recorded", () => {
    const olds = { mount: "aws", accessKey: "", secretKey: "" };
    expect(check(cloudRootConfig, { ...olds, region: "eu-west-1" }, olds)).toMatchObject({ failures: [] });
    const emptied = check(cloudRootConfig, olds, { mount: "aws", ...keys });
    expect(emptied.failures).toHaveLength(2);
  });

  it.each([
    [{ secretKey: [keys.secretKey] }],
    [{ secretKey: { x: keys.secretKey } }],
    [{ secretKey: keys.secretKey, accessKey: "" }],
  ])("does not show the secret key when it is refused", (changes) => {
    const { failures } = check(cloudRootConfig, changes);
    expect(failures).not.toEqual([]);
    expect(JSON.stringify(failures)).not.toContain(keys.secretKey);
  });
});

// @covers cloud: Lease configuration > lease_max
describe("a cloud.LeaseConfig", () => {
  expectRefusals("cloudLeaseConfig", 0, {
    accepted: [{ lease: 3600 }, { lease: "1d", leaseMax: "7d" }, { lease: "1.5h" }, { lease: "24h" }, { lease: "0s" }],
    refused: [
      [{ lease: null }, "lease", "is required"],
      [{ leaseMax: "" }, "leaseMax", "is required and must not be empty"],
      [{ lease: "1.5" }, "lease", /is not a duration/],
      [{ leaseMax: "1w" }, "leaseMax", /is not a duration/],
      [{ lease: true }, "lease", /must be a number of seconds or a duration/],
    ],
    // The servers store a lease that they then cut.
    advised: [[{ lease: "25h" }, "lease", "must not be longer than leaseMax"]],
  });
});

// @covers cloud: Static role > name
// @covers cloud: Limits > rotation_period of a minute
describe("a cloud.StaticRole", () => {
  expectRefusals("cloudStaticRole", 0, {
    accepted: [
      { rotationPeriod: 60 },
      { rotationPeriod: "1m" },
      { assumeRoleArn: roleArn, assumeRoleSessionName: "s", externalId: "x" },
      { name: "App@1" },
    ],
    refused: [
      [{ username: null }, "username", "is required"],
      [{ username: "" }, "username", "is required and must not be empty"],
      [{ rotationPeriod: null }, "rotationPeriod", "is required"],
      [{ rotationPeriod: 59 }, "rotationPeriod", "must be at least 60 seconds"],
      [{ rotationPeriod: "59s" }, "rotationPeriod", "must be at least 60 seconds"],
      [{ rotationPeriod: "60500us" }, "rotationPeriod", "must be at least 60 seconds"],
      [{ rotationPeriod: 0 }, "rotationPeriod", "must be at least 60 seconds"],
      [{ rotationPeriod: -60 }, "rotationPeriod", "must not be negative"],
      [{ name: "a/b" }, "name", /must be letters, digits/],
      [{ assumeRoleSessionName: "s" }, "assumeRoleSessionName", "needs assumeRoleArn to be set"],
      [{ externalId: "x" }, "externalId", "needs assumeRoleArn to be set"],
    ],
    advised: [
      [{ assumeRoleArn: "deploy" }, "assumeRoleArn", "must begin with `arn:`"],
      [{ name: "a..b" }, "name", /two dots/],
    ],
  });
});

describe("a cloud.RootRotation", () => {
  expectRefusals("cloudRootRotation", 0, {
    accepted: [{ triggers: { month: "11" } }, { mount: "team/cloud" }],
    refused: [
      [{ triggers: { month: 11 } }, "triggers.month", "must be a string"],
      [{ mount: "" }, "mount", /must be a path/],
    ],
  });
});
