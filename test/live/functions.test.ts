import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import type { FunctionDefinition } from "../../provider/core/function.ts";
import { functions } from "../../provider/functions/index.ts";
import {
  type LiveCloud,
  type LiveConsul,
  type LiveVault,
  startLiveConsul,
  startLiveMoto,
  startLiveVault,
} from "../../tools/live/live-servers.mts";
import { openStackStory, type StackStory } from "../e2e/stack-story.ts";
import { type WatchedServers, watch } from "../e2e/watched-servers.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { rawApi } from "../support/contract-raw.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { vaultReleases } from "../support/vault-releases.ts";
import { type Issuer, openIssuer } from "../wire/issuer.mts";

/** What only real servers issue: tokens, credentials, and peerings that become ACTIVE. */

type FunctionName = keyof typeof functions;

const arn = "arn:aws:iam::123456789012:role/deploy";

/** Calls functions on servers; the tokens stand in the configuration. */
function caller(settings: Readonly<Record<string, object>>) {
  const config = Object.entries(settings).map(([key, entry]) => [key, JSON.stringify(entry)]);
  const engine = engineWithLog(Object.fromEntries(config), []);
  return (name: FunctionName, args: Values) => engine.call(functions[name] as FunctionDefinition, args);
}

/** Names of the users that the cloud has. */
async function usersOf({ address }: LiveCloud): Promise<string[]> {
  const scope = "Credential=test/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=none";
  const headers = { authorization: `AWS4-HMAC-SHA256 ${scope}` };
  const body = new URLSearchParams({ Action: "ListUsers", Version: "2010-05-08" });
  const text = await (await fetch(address, { method: "POST", headers, body })).text();
  return [...text.matchAll(/<UserName>(.*?)<\/UserName>/g)].map(([, name = ""]) => name);
}

/** A Vault with roles for people, for jobs and for credentials. */
async function prepare(vault: LiveVault, cloud: LiveCloud, { places }: Issuer): Promise<void> {
  const { call } = rawApi("secrets", vault);
  for (const mount of ["jwt", "people"]) await call(`POST sys/auth/${mount}`, { type: "jwt" });
  await call("POST auth/jwt/config", { jwt_validation_pubkeys: [places.publicKey], default_role: "ci" });
  const client = { oidc_client_id: "client", oidc_client_secret: "secret" };
  await call("POST auth/people/config", { oidc_discovery_url: places.issuer, ...client });
  const ci = { role_type: "jwt", bound_audiences: ["trustplane"], token_policies: ["deploy"], token_ttl: "10m" };
  await call("POST auth/jwt/role/ci", { user_claim: "sub", ...ci });
  await call("POST auth/people/role/team", { user_claim: "sub", allowed_redirect_uris: ["http://localhost/back"] });
  const { accessKey, secretKey } = await cloud.createUser("root");
  await cloud.createUser("backup");
  const at = { region: "us-east-1", iam_endpoint: cloud.address, sts_endpoint: cloud.address };
  await call("POST sys/mounts/cloud", { type: "aws" });
  await call("POST cloud/config/root", { access_key: accessKey, secret_key: secretKey, ...at });
  await call("POST cloud/roles/user", { credential_type: "iam_user" });
  await call("POST cloud/roles/assumed", { credential_type: "assumed_role", role_arns: [arn] });
  await call("POST cloud/static-roles/backup", { username: "backup", rotation_period: "1h" });
}

describe.each(vaultReleases)("on Vault %s", (version) => {
  let vault: LiveVault;
  let cloud: LiveCloud;
  let issuer: Issuer;
  let call: ReturnType<typeof caller>;

  beforeAll(async () => {
    [vault, cloud, issuer] = await Promise.all([startLiveVault(version), startLiveMoto(), openIssuer()]);
    await prepare(vault, cloud, issuer);
    call = caller({ secrets: { address: vault.address, token: vault.token } });
  }, 60_000);
  afterAll(() => Promise.all([vault.close(), cloud.close(), issuer.close()]));

  // @covers jwt: What the service does > login against a role
  // @covers beyond: Answer of a login > client_token
  it("a login gives a token that works", async () => {
    const { results } = await call("jwtLogin", { role: "CI", jwt: issuer.places.jwt });

    expect(results).toMatchObject({
      mount: "jwt",
      clientToken: expect.stringMatching(/^hvs\./),
      accessor: expect.stringMatching(/./),
      policies: ["default", "deploy"],
      tokenPolicies: ["default", "deploy"],
      metadata: { role: "ci" },
      leaseDuration: 600,
      renewable: true,
      tokenType: "service",
      numUses: 0,
    });
    const own = rawApi("secrets", { address: vault.address, token: String(results["clientToken"]) });
    expect(await own.call("GET auth/token/lookup-self")).toMatchObject({ data: { path: "auth/jwt/login" } });
  });

  it("a login without a role takes the default one, and a refused one says why", async () => {
    expect((await call("jwtLogin", { jwt: issuer.places.jwt })).results).toMatchObject({ metadata: { role: "ci" } });
    const refused = call("jwtLogin", { role: "nobody", jwt: issuer.places.jwt });
    await expect(refused).rejects.toThrow(/^calling jwt.login "nobody": 400 role "nobody" could not be found/);
    await refused.catch((error: Error) => expect(error.message).not.toContain(issuer.places.jwt));
  });

  it("a login that needs a second factor is an error that names what asks for it", async () => {
    const raw = rawApi("secrets", vault);
    const answers = [await raw.call("POST identity/mfa/method/totp", { issuer: "x" }), await raw.call("GET sys/auth")];
    const [method, mounts] = answers as [{ data: { method_id: string } }, { data: { "jwt/": { accessor: string } } }];
    const scope = { mfa_method_ids: [method.data.method_id], auth_method_accessors: [mounts.data["jwt/"].accessor] };
    await raw.call("POST identity/mfa/login-enforcement/staff", scope);

    const login = call("jwtLogin", { role: "ci", jwt: issuer.places.jwt });
    await expect(login).rejects.toThrow('multi-factor authentication is enforced by "staff", and a program has');
    await raw.call("DELETE identity/mfa/login-enforcement/staff");
  });

  // @covers jwt: Role > allowed_redirect_uris
  // @covers jwt: Request of an authorization URL > redirect_uri
  // @covers beyond: Answer of an authorization URL > auth_url
  it("an address to log in at leads to the provider; a redirect that is not allowed is refused", async () => {
    const args = { mount: "people", role: "team" };
    const { results } = await call("jwtAuthUrl", { ...args, redirectUri: "http://localhost/back" });
    expect(String(results["authUrl"])).toMatch(`${issuer.places.issuer}/authorize?client_id=client`);

    await expect(call("jwtAuthUrl", { ...args, redirectUri: "http://localhost/other" })).rejects.toThrow(
      'calling jwt.authUrl "team": the server gives no address: the role does not allow this redirectUri',
    );
  });

  // @covers cloud: Endpoints > GET {mount}/creds/{name}
  // @covers beyond: Answer with credentials > secret_key
  it("credentials of a user are a user of the cloud, who is gone when they are given back", async () => {
    const before = await usersOf(cloud);
    const { results, release } = await call("cloudGetCredentials", { name: "user", revokeAtEnd: true });
    const [made = ""] = (await usersOf(cloud)).filter((name) => !before.includes(name));

    expect(made).toMatch(/-user-/);
    expect(results).toEqual({
      mount: "cloud",
      name: "user",
      accessKey: expect.stringMatching(/^AKIA/),
      secretKey: expect.stringMatching(/^.{40}$/),
      leaseId: expect.stringMatching(/^cloud\/creds\/user\//),
      leaseDuration: 2_764_800,
      renewable: true,
    });
    await release?.();
    expect(await usersOf(cloud)).toEqual(before);
  });

  it("credentials that are not to be given back stay", async () => {
    expect((await call("cloudGetCredentials", { name: "assumed" })).release).toBeUndefined();
  });

  // @covers cloud: Endpoints > POST {mount}/sts/{name}
  it.each(["creds", "sts"])("credentials of an assumed role come from the endpoint %s", async (endpoint) => {
    const { results } = await call("cloudGetCredentials", { name: "assumed", endpoint, ttl: "20m", roleArn: arn });

    expect(results).toMatchObject({
      sessionToken: expect.stringMatching(/./),
      arn: expect.stringContaining(":assumed-role/deploy/"),
      leaseId: expect.stringMatching(`^cloud/${endpoint}/assumed/`),
      renewable: false,
    });
    expect(Math.abs(Number(results["leaseDuration"]) - 1200)).toBeLessThan(5);
  });

  it("credentials of a role that is not there name it", async () => {
    await expect(call("cloudGetCredentials", { name: "none" })).rejects.toThrow(
      /^calling cloud.getCredentials "none": 400 Role .*none.* not found \(GET cloud\/creds\/none\)/,
    );
  });

  // @covers cloud: Endpoints > GET {mount}/static-creds/{name}
  it("static credentials are read as they are, and nothing is rotated by it", async () => {
    const first = (await call("cloudGetStaticCredentials", { name: "backup" })).results;
    expect(first).toMatchObject({ accessKey: expect.stringMatching(/^AKIA/), expiration: expect.stringMatching(/Z$/) });
    expect((await call("cloudGetStaticCredentials", { name: "backup" })).results).toEqual(first);
    await expect(call("cloudGetStaticCredentials", { name: "none" })).rejects.toThrow(
      'calling cloud.getStaticCredentials "none": it is not there (GET cloud/static-creds/none).',
    );
  });
});

describe("on two clusters", () => {
  let clusters: readonly [LiveConsul, LiveConsul];

  beforeAll(async () => {
    clusters = await Promise.all([startLiveConsul({ datacenter: "dc1" }), startLiveConsul({ datacenter: "dc2" })]);
  }, 60_000);
  afterAll(() => Promise.all(clusters.map((cluster) => cluster.close())));

  it("a peering is read on its way from PENDING to ACTIVE, on both sides", async () => {
    const [ours, theirs] = clusters;
    const call = caller({
      cluster: { address: ours.address, token: ours.token },
      connections: { theirs: { service: "cluster", address: theirs.address, token: theirs.token } },
    });
    const issued = await rawApi("cluster", ours).call("POST peering/token", { PeerName: "west" });
    const { PeeringToken } = issued as { PeeringToken: string };
    expect((await call("clusterGetPeering", { peerName: "west" })).results).toMatchObject({ state: "PENDING" });

    await rawApi("cluster", theirs).call("POST peering/establish", { PeerName: "east", PeeringToken });

    const read = async (args: Values) => (await call("clusterGetPeering", args)).results;
    await expect
      .poll(() => read({ peerName: "west" }), { timeout: 30_000 })
      .toMatchObject({
        state: "ACTIVE",
        remoteDatacenter: "dc2",
        peerCaPems: [expect.stringContaining("BEGIN CERTIFICATE")],
      });
    const far = { peerName: "east", connection: "theirs" };
    await expect.poll(() => read(far), { timeout: 30_000 }).toMatchObject({ state: "ACTIVE", remoteDatacenter: "dc1" });
    const listed = (await call("clusterGetPeerings", { connection: "theirs" })).results["peerings"];
    expect(listed).toMatchObject([{ peerName: "east", state: "ACTIVE", remotePeeringId: expect.any(String) }]);
  });
});

describe("a program on Vault 1.21", needsPulumi(), () => {
  let vault: LiveVault;
  let cloud: LiveCloud;
  let issuer: Issuer;
  let watched: WatchedServers;
  let story: StackStory;
  const issued = () => watched.traffic.seen().filter(({ url }) => /\/(creds|sts|login)/.test(url));

  beforeAll(async () => {
    [vault, cloud, issuer] = await Promise.all([startLiveVault("1.21"), startLiveMoto(), openIssuer()]);
    await prepare(vault, cloud, issuer);
    watched = await watch({ secrets: vault });
    story = await openStackStory({
      program: { source: program() },
      env: { ...watched.env, JWT: String(issuer.places.jwt) },
    });
  }, 120_000);
  afterAll(async () => {
    await story.close();
    await watched.close();
    await Promise.all([vault.close(), cloud.close(), issuer.close()]);
  });

  it("has nothing issued by a preview, and by an update one of each, as secrets", async () => {
    await story.pulumi("preview");
    expect(issued()).toEqual([]);
    expect(await usersOf(cloud)).toEqual(expect.not.arrayContaining([expect.stringMatching(/-user-/)]));

    const { text } = await story.pulumi("up --yes");

    expect(
      issued()
        .map(({ method, url }) => `${method} ${url}`)
        .sort(),
    ).toEqual(["GET /v1/cloud/creds/user", "POST /v1/auth/jwt/login"]);
    expect(text).toMatch(/secretKey\s*: \[secret\]/);
    expect(text).toMatch(/token\s*: \[secret\]/);
    const exported = JSON.stringify(await story.sandbox.export());
    expect(exported).not.toMatch(/AKIA|hvs\./);
  });

  // @covers beyond: Endpoints > POST sys/leases/revoke
  it.each([
    ["is done, after the deletions", "", 0, ["DELETE /v1/cloud/roles/made"]],
    ["has failed", "setTimeout(() => { throw new Error('broken'); }, 2000);", 1, []],
  ] as const)("gives credentials back when the run %s", async (_, end, code, deletions) => {
    const before = await usersOf(cloud);
    watched.traffic.forget();
    story.rewrite(program({ revokeAtEnd: true, end }));

    await story.pulumi("up --yes --skip-preview", { code });

    expect(issued()).toHaveLength(2);
    const changes = watched.writes().filter((line) => !line.endsWith("/login"));
    expect(changes).toEqual([...deletions, "POST /v1/sys/leases/revoke"]);
    expect(await usersOf(cloud)).toEqual(before);
  });

  it("says what could not be given back", async () => {
    watched.traffic.strikeAll(({ url }) => url.includes("/sys/leases/revoke"), "403");
    story.rewrite(program({ revokeAtEnd: true }));

    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/warning: ending cloud\.getCredentials "user": 403 .*\(POST sys\/leases\/revoke\)/);
  });
});

function program({ revokeAtEnd = false, end = "" } = {}): string {
  const role = `{ name: "made", credentialType: "iam_user", policyArns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] }`;
  return `
const trustplane = require("trustplane");
const credentials = trustplane.cloud.getCredentialsOutput({ name: "user", revokeAtEnd: ${revokeAtEnd} });
exports.secretKey = credentials.secretKey;
exports.token = trustplane.jwt.loginOutput({ jwt: process.env.JWT }).clientToken;
${revokeAtEnd ? "" : `new trustplane.cloud.Role("made", ${role});`}
${end}
`;
}
