import { beforeAll, describe, expect, test } from "vitest";
import { definitions } from "../../provider/resources/index.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { startDiscoveryServer } from "./discovery-server.ts";
import { openingMs, openStory, type Servers, type Story } from "./pulumi-story.ts";

/** The program of the demo; each test goes on where the one before it ended. */
describe("examples/platform", needsPulumi(), () => {
  let story: Story;
  let untouched: string;

  beforeAll(async () => {
    const discovery = await startDiscoveryServer();
    story = await openStory({
      program: "examples/platform",
      env: ({ partner }) => ({ PARTNER_CONSUL_TOKEN: partner.cluster.token }),
      config: ({ ours, partner }) => ({
        policySet: ours.policy.policySet,
        cloudAccessKey: "AKIAPLATFORM",
        cloudSecretKey: { secret: "first-key" },
        costApiToken: { secret: "cost-token" },
        issuer: discovery.issuer,
        oidcClientSecret: { secret: "client-secret" },
        "trustplane:connections": JSON.stringify({
          partner: { service: "cluster", address: partner.cluster.address, tokenEnv: "PARTNER_CONSUL_TOKEN" },
        }),
      }),
    });
    story.ours.cloud.addUser("billing-export");
    untouched = recordsOf(story);
    return async () => {
      await story.close();
      await discovery.close();
    };
  }, openingMs);

  test("creates every resource that there is, from TypeScript", async () => {
    await story.pulumi("up --yes --skip-preview");

    const types = (await resources()).map(({ type }) => type.replace("pulumi-nodejs:dynamic/trustplane/", ""));
    expect(types).toEqual(expect.arrayContaining(Object.values(definitions).map(({ token }) => token)));
  });

  test("has nothing to do afterwards, and no drift is found, although a key was rotated", async () => {
    await story.pulumi("preview --expect-no-changes");
    await story.pulumi("refresh --preview-only --expect-no-changes");
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("keeps little in the state for each resource: 300 bytes of provider at most", async () => {
    const providers = (await resources()).map(({ outputs }) => String(outputs?.["__provider"] ?? ""));

    expect(providers.filter((text) => text !== "").length).toBeGreaterThan(Object.keys(definitions).length);
    expect(Math.max(...providers.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(300);
  });

  test("keeps every record that is replaced by force, although nothing about it changed", async () => {
    const before = pathsOf(story);
    const urns = (await resources())
      .filter(({ urn }) => replaced.some((end) => urn.endsWith(end)))
      .map(({ urn }) => urn);

    const { text } = await story.pulumi(
      `up --yes --skip-preview ${urns.map((urn) => `--target-replace ${urn}`).join(" ")}`,
    );

    expect(text).toMatch(new RegExp(`${replaced.length} replaced`));
    expect(pathsOf(story)).toEqual(before);
  });

  test("is gone from the servers after destroy", async () => {
    await story.pulumi("destroy --yes --skip-preview");

    expect(recordsOf(story)).toBe(untouched);
  });

  const resources = async () =>
    ((await story.sandbox.export()).deployment.resources ?? []).filter(({ type }) => type.includes("trustplane/"));
});

/** Records whose replacement would collide with the live one: same id, same key in a set, same peer name. */
const replaced = [
  "cloud:Role::backup",
  "cloud:LeaseConfig::cloud",
  "cloud:StaticRole::billing-export",
  "cluster:PeeredClusters::disaster-recovery",
  "jwt:Config::jobs",
  "jwt:Role::engineer",
  "policy:Parameter::allowed-regions",
  "policy:Parameter::cost-api-token",
];

/** What is stored, without the ids that a server makes up. */
const pathsOf = ({ ours, partner }: Servers) =>
  [ours.records(), partner.records()].map((services) =>
    Object.values(services).map((records) =>
      Object.keys(records)
        .map((path) => path.replace(/\bvar-.*/, "var"))
        .sort(),
    ),
  );

const recordsOf = ({ ours, partner }: Servers) => JSON.stringify([ours.records(), partner.records()], null, 1);
