import { generateKeyPairSync, randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { startServers } from "../../server/serve.ts";
import { sources } from "../e2e/platform-program.ts";
import { openingMs, openStackStory, type StackStory } from "../e2e/stack-story.ts";
import { type WatchedServers, watch } from "../e2e/watched-servers.ts";
import { askSecrets } from "../server/frame-harness.ts";
import type { ContractServers } from "../support/contract-servers.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { startWithConsul, startWithVault } from "../support/contract-servers-live.ts";
import { createOidcBench, type OidcBench } from "../support/oidc-bench.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

async function startReal(): Promise<ContractServers> {
  const [vault, consul] = await Promise.all([startWithVault("1.21"), startWithConsul()]);
  const close = async () => void (await Promise.all([vault.close(), consul.close()]));
  return { ...vault, cluster: consul.cluster, peer: consul.peer, close };
}

describe.each([
  { servers: "embedded servers", start: startEmbedded },
  { servers: "real Vault and Consul", start: startReal },
])("examples/platform on $servers", needsPulumi(), ({ start }) => {
  let servers: ContractServers;
  let watched: WatchedServers;
  let story: StackStory;
  let bench: OidcBench;

  beforeAll(async () => {
    const identities = await startServers({ issuer: true });
    servers = await start();
    watched = await watch(servers);
    bench = createOidcBench(servers.secrets, identities);
    const root = await servers.cloudUser("platform");
    await servers.cloudUser("billing-export");
    const pem = String(publicKey.export({ type: "spki", format: "pem" }));
    story = await openStackStory({
      program: { files: { ...sources(), "keys/git-host.pub.pem": pem } },
      env: watched.env,
      config: {
        organization: "demo",
        cloudAccessKey: root.access_key,
        cloudSecretKey: { secret: root.secret_key },
        costApiToken: { secret: randomBytes(20).toString("hex") },
        issuer: bench.issuer.address,
        oidcClientId: bench.issuer.clientId,
        oidcClientSecret: { secret: bench.issuer.clientSecret },
        "trustplane:connections": JSON.stringify({ partner: watched.partner }),
        ...(root["iam_endpoint"] === undefined ? {} : { cloudEndpoint: String(root["iam_endpoint"]) }),
      },
    });
    await story.pulumi("up --yes --skip-preview");
    return async () => {
      await story.close();
      await watched.close();
      await Promise.all([servers.close(), identities.close()]);
    };
  }, openingMs);

  /** What a token may do on the paths that the policies of the program name, and on the one that gives everything. */
  async function abilities(token: unknown) {
    const paths = ["platform-cloud/sts/deploy", "platform-cloud/sts/read-artifacts", "auth/jobs/role/deploy"];
    const asked = { paths: [...paths, "sys/policies/acl/deploy"] };
    const ask = askSecrets({ secrets: servers.secrets });
    const { data } = await ask("POST sys/capabilities-self", asked, { token: String(token) });
    return asked.paths.map((path) => Object(data)[path]?.join());
  }

  async function job(role: string, claims: Readonly<Record<string, unknown>>) {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: "https://git.example.com", aud: "https://secrets.example.com", sub: "job", iat: now };
    const jwt = await new SignJWT({ ...usual, exp: now + 60, ...claims })
      .setProtectedHeader({ alg: "RS256" })
      .sign(privateKey);
    return askSecrets({ secrets: servers.secrets })("POST auth/jobs/login", { role, jwt }, { token: null });
  }
  const main = { project_path: "platform/infrastructure", ref: "main", ref_protected: "true", pipeline_id: "1" };

  async function person(name: string, groups: readonly string[]) {
    await bench.admin("PUT issuer/users", { sub: name, claims: { email: `${name}@example.com`, groups } });
    return bench.logIn({ user: name });
  }

  test("a job on main gets credentials to deploy, and nothing else", async () => {
    const { auth } = await job("deploy", main);
    expect(auth?.["policies"]).toEqual(["default", "deploy"]);
    expect(await abilities(auth?.["client_token"])).toEqual(["update", "deny", "deny", "deny"]);
  });

  test.each([
    ["another branch", { ...main, ref: "try-it" }],
    ["a branch that is not protected", { ...main, ref_protected: "false" }],
    ["another project", { ...main, project_path: "platform/shop" }],
  ])("a job of %s cannot log in to deploy", async (_, claims) => {
    expect((await job("deploy", claims)).status).toBe(400);
  });

  test("a job of a merge request reads artifacts, and nothing else", async () => {
    const { auth } = await job("merge-request", { project_path: "platform/shop" });
    expect(auth).toMatchObject({ policies: ["default", "read-only"], token_type: "batch" });
    expect(await abilities(auth?.["client_token"])).toEqual(["deny", "update", "deny", "deny"]);
    expect((await job("merge-request", { project_path: "mallory/shop" })).status).toBe(400);
  });

  test("a person of the team may deploy by hand, another one only looks at roles", async () => {
    const { auth: carol } = await person("carol", ["platform-team"]);
    expect(carol?.["policies"]).toEqual(["default", "deploy", "engineer", "read-only"]);
    expect(await abilities(carol?.["client_token"])).toEqual(["update", "update", "read", "deny"]);

    const { auth: dave } = await person("dave", ["support"]);
    expect(dave?.["policies"]).toEqual(["default", "engineer"]);
    expect(await abilities(dave?.["client_token"])).toEqual(["deny", "deny", "read", "deny"]);
  });

  test("the partner sees the exported service, and one service of it may call that", async () => {
    expect(await watched.raw("cluster").call("GET config/exported-services/default")).toMatchObject({
      Services: [{ Name: "billing", Consumers: [{ Peer: "partner" }] }],
    });
    expect(await watched.raw("cluster").call("GET config/service-intentions/billing")).toMatchObject({
      Sources: [{ Name: "checkout", Peer: "partner", Action: "allow" }],
    });
  });
});
