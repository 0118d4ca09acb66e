import { generateKeyPairSync, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { contentOf } from "../contract/cases/peers.ts";
import { rawApi } from "../support/contract-raw.ts";
import { type EngineEvent, needsPulumi } from "../support/pulumi-sandbox.ts";
import { startDiscoveryServer } from "./discovery-server.ts";
import { filesBelow, makeSecret, tracesIn } from "./needle.ts";
import { openingMs, openStory, type Servers, type Story } from "./pulumi-story.ts";

describe("the search for a secret", () => {
  const secret = makeSecret();

  test.each([
    ["as it is", secret],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ secret }))],
    ["in a URL", `http://x/?a=${encodeURIComponent(secret)}`],
    ["in hexadecimal", Buffer.from(secret).toString("hex")],
    ["in base64", Buffer.from(secret).toString("base64")],
    ["in base64 after one byte", Buffer.from(`a${secret}b`).toString("base64")],
    ["in base64 after two bytes, for URLs", Buffer.from(`ab${secret}`).toString("base64url")],
  ])("finds it %s", (_, text) => {
    expect(tracesIn(`before ${text} after`, { secret })).toEqual(["secret"]);
  });

  test("finds nothing where it is not", () => {
    expect(tracesIn(JSON.stringify({ other: makeSecret() }), { secret })).toEqual([]);
  });
});

/** Every secret property, given as a plain string, as an Output, and as an Output that a preview does not know. */
describe("secrets that a program passes", needsPulumi(), () => {
  let story: Story;
  let secrets: Record<string, string> = {};
  let told = "";
  const tell = async (command: string, options: Parameters<Story["pulumi"]>[1] = {}) => {
    const env = { SECRETS: JSON.stringify(secrets) };
    const { text, events } = await story.pulumi(command, { env, events: true, ...options });
    told += text + JSON.stringify(events.filter((event) => !isDebugMessage(event)));
    return text;
  };
  const traces = (text: string) => tracesIn(text, { ...secrets, ...issuedSecrets(story) });

  beforeAll(async () => {
    const discovery = await startDiscoveryServer();
    story = await openStory({
      program: { source: program },
      isWatched: true,
      env: () => ({ ISSUER: discovery.issuer, VAULT_MAX_RETRIES: "0" }),
    });
    for (const given of forms) {
      await rawApi("secrets", story.ours.secrets).call(`POST sys/auth/jwt-${given}`, { type: "jwt" });
      await rawApi("secrets", story.ours.secrets).call(`POST sys/mounts/cloud-${given}`, { type: "aws" });
    }
    secrets = await newSecrets(story);
    return async () => {
      await story.close();
      await discovery.close();
    };
  }, openingMs);

  test("stay out of the state when a write is recorded half-way", async () => {
    const calm = story.refuseReadBacks();

    await tell("up --yes --diff", { code: 1 });
    calm();

    const exported = await story.sandbox.export();
    expect((exported.deployment.resources ?? []).flatMap(({ initErrors }) => initErrors ?? [])).not.toEqual([]);
    expect(traces(JSON.stringify(exported))).toEqual([]);
  });

  test("reach the servers", async () => {
    await tell("up --yes --diff");

    const records = story.ours.records();
    for (const given of forms) {
      expect(records.secrets[`auth/jwt-${given}/config`]).toMatchObject({
        oidc_client_secret: secrets[`${given} clientSecret`],
        provider_config: { gsuite_service_account: secrets[`${given} serviceAccount`] },
      });
      expect(Object.values(records.secrets)).toContainEqual(
        expect.objectContaining({ secret_key: secrets[`${given} secretKey`] }),
      );
      expect(Object.values(records.policy)).toContainEqual(
        expect.objectContaining({ value: secrets[`${given} parameter`] }),
      );
    }
    expect(Object.keys(records.cluster).sort()).toEqual(
      ["peering/issued", ...forms.map((given) => `peering/${given}`)].sort(),
    );
  });

  test("show a change as another fingerprint, and only there", async () => {
    secrets = { ...secrets, "output secretKey": makeSecret(), "plain parameter": makeSecret() };

    const text = await tell("preview --diff");

    expect(text).toMatch(/~ fingerprints\s*: \{\s*~ secretKey: "[0-9a-f]{8}" => "[0-9a-f]{8}"/);
    expect(text).toMatch(/~ fingerprints\s*: \{\s*~ value: "[0-9a-f]{8}" => "[0-9a-f]{8}"/);
    await tell("up --yes --diff");
    await tell("preview --json");
  });

  test("are in no file of the stack, in nothing that the CLI printed, also after a refresh, and in no log", async () => {
    await tell("refresh --yes --diff --skip-preview");
    const exported = JSON.stringify(await story.sandbox.export());

    expect(exported).toContain("ciphertext");
    expect(traces(exported)).toEqual([]);
    expect(traces(told)).toEqual([]);
    expect(traces(JSON.stringify(story.ours.log.all()))).toEqual([]);
    const leaking = Object.entries(filesBelow(story.sandbox.folder)).filter(([, text]) => traces(text).length > 0);
    expect(leaking.map(([path]) => path)).toEqual([]);
  });

  test("hide nothing else: a parameter that is not sensitive can be read in state and diff", async () => {
    const exported = JSON.stringify(await story.sandbox.export());

    expect(exported).toContain('"value":"eu-central-1, readable"');
    expect(told).toContain("eu-central-1, readable");
  });

  test("leave with the stack", async () => {
    await tell("destroy --yes --diff --skip-preview");

    expect(traces(told)).toEqual([]);
    expect(story.ours.records().policy).toEqual({});
    expect(story.ours.records().cluster).toEqual({});
  });
});

/** No table calls them secret: what says so is the program. The same resources by both kinds of classes. */
describe("what only the program calls secret", needsPulumi(), () => {
  const secrets = {
    policy: makeSecret(),
    part: makeSecret(),
    claim: makeSecret(),
    arn: randomBytes(20).toString("hex"),
  };
  let story: Story;
  let told = "";
  const tell = async (command: string, options: Parameters<Story["pulumi"]>[1] = {}) => {
    const { text, events } = await story.pulumi(command, { events: true, ...options });
    told += text + JSON.stringify(events.filter((event) => !isDebugMessage(event)));
  };
  const exported = async () => JSON.stringify(await story.sandbox.export());

  beforeAll(async () => {
    story = await openStory({
      program: { source: programWithItsOwnSecrets },
      isWatched: true,
      env: () => ({ SECRETS: JSON.stringify(secrets), VAULT_MAX_RETRIES: "0" }),
    });
    return story.close;
  }, openingMs);

  test("stays secret when every write is recorded half-way", async () => {
    const calm = story.refuseReadBacks();

    await tell("up --yes --diff --skip-preview --continue-on-error", { code: 1 });
    calm();

    const { deployment } = await story.sandbox.export();
    const unread = (deployment.resources ?? []).filter(({ initErrors = [] }) => initErrors.length > 0);
    expect(unread.length).toBe(8);
    expect(tracesIn(JSON.stringify(deployment), secrets)).toEqual([]);
  });

  test("stays secret when it is written, compared and refreshed, and is not found where nothing is secret", async () => {
    await tell("up --yes --diff");
    await tell("refresh --yes --diff --skip-preview");

    const state = await exported();
    expect(tracesIn(state, secrets)).toEqual([]);
    expect(tracesIn(told, secrets)).toEqual([]);
    // The plugin keeps what stands beside a secret in a list readable.
    expect(state).toContain("for everybody");
    expect(JSON.stringify(story.ours.records().secrets)).toContain(secrets.arn);
  });
});

/** In its debug messages (`--debug`, `-v=9`) Pulumi itself prints every property of every resource, secret or not. */
function isDebugMessage(event: EngineEvent): boolean {
  return JSON.stringify(event["diagnosticEvent"] ?? {}).includes('"severity":"debug"');
}

const forms = ["plain", "output", "unknown"] as const;

async function newSecrets({ partner }: Servers): Promise<Record<string, string>> {
  const entries = forms.map(async (given) => {
    const token = await rawApi("cluster", partner.cluster).call("POST peering/token", { PeerName: `for-${given}` });
    const { PeeringToken } = token as { PeeringToken: string };
    return {
      [`${given} clientSecret`]: makeSecret(),
      [`${given} serviceAccount`]: serviceAccount(),
      [`${given} secretKey`]: makeSecret(),
      [`${given} parameter`]: makeSecret(),
      [`${given} peeringToken`]: PeeringToken,
      [`${given} establishmentSecret`]: String(contentOf(PeeringToken)["EstablishmentSecret"]),
    };
  });
  return Object.assign({}, ...(await Promise.all(entries)));
}

/** What the clusters themselves have made up: the part of a peering token that must stay secret. */
function issuedSecrets({ ours, partner }: Servers): Record<string, string> {
  const records = Object.entries({ ...ours.records().cluster, ...partner.records().cluster });
  const members = ["EstablishmentSecret", "PendingStreamSecret", "StreamSecret"];
  return Object.fromEntries(
    records
      .flatMap(([path, record]) =>
        // The records of the embedded server's own making; a secret that is used up is empty.
        members.map((member) => [`${member} of ${path}`, String((record as Record<string, unknown>)[member])] as const),
      )
      .filter(([, secret]) => secret !== ""),
  );
}

/** A key file as Google issues them; the secret in it is a private key with line breaks. */
function serviceAccount(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return JSON.stringify({
    type: "service_account",
    client_email: "directory@example.iam.gserviceaccount.com",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    token_uri: "https://oauth2.googleapis.com/token",
  });
}

const program = `
const pulumi = require("@pulumi/pulumi");
const trustplane = require("trustplane");

const secrets = JSON.parse(process.env.SECRETS);
const policySetId = "polset-demo000000000001";
const marker = new trustplane.policy.Parameter("marker", { policySetId, key: "region", value: "eu-central-1, readable" });
const forms = {
  plain: (value) => value,
  output: (value) => pulumi.output(value),
  // Not known before the marker is written.
  unknown: (value) => marker.parameterId.apply(() => value),
};
for (const [given, form] of Object.entries(forms)) {
  new trustplane.jwt.Config(given, {
    mount: "jwt-" + given,
    oidcDiscoveryUrl: process.env.ISSUER,
    oidcClientId: "secrets-server",
    oidcClientSecret: form(secrets[given + " clientSecret"]),
    providerConfig: { provider: "gsuite", gsuite_service_account: form(secrets[given + " serviceAccount"]) },
  });
  new trustplane.cloud.RootConfig(given, {
    mount: "cloud-" + given,
    accessKey: "AKIA" + given.toUpperCase(),
    secretKey: form(secrets[given + " secretKey"]),
  });
  new trustplane.policy.Parameter(given, { policySetId, key: given, value: form(secrets[given + " parameter"]), sensitive: true });
  new trustplane.cluster.Peering(given, { peerName: given, peeringToken: form(secrets[given + " peeringToken"]) });
}
new trustplane.cluster.PeeringToken("issued", { peerName: "issued" });
`;

const programWithItsOwnSecrets = `
const pulumi = require("@pulumi/pulumi");
const secrets = JSON.parse(process.env.SECRETS);
const policy = (Sid) => ({ Version: "2012-10-17", Statement: [{ Sid, Effect: "Deny", Action: "*", Resource: "*" }] });
const kinds = { dynamic: require("trustplane"), native: require("trustplane/native") };
for (const [kind, { cloud, jwt }] of Object.entries(kinds)) {
  const named = (name, args) => [kind + "-" + name, { name: kind + "-" + name, ...args }];
  new cloud.Role(...named("policy", { policy: pulumi.secret(JSON.stringify(policy(secrets.policy))) }));
  new cloud.Role(...named("arn", { arn: pulumi.secret("arn:aws:iam::123456789012:policy/" + secrets.arn) }));
  new cloud.Role(...named("part", { credentialType: "iam_user", policyDocument: policy(pulumi.secret(secrets.part)) }));
  new jwt.Role(...named("claim", {
    roleType: "jwt",
    userClaim: "sub",
    boundClaims: { project: ["for everybody", pulumi.secret(secrets.claim)] },
  }));
}
`;
