import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Values } from "../../provider/core/definition.ts";
import { rawApi } from "../support/contract-raw.ts";
import type { ResourceName } from "../support/host-under-test.ts";
import type { ContractServers } from "../support/servers-under-test.ts";

/**
 * Gives the servers what the resources below begin with: cloud users, an engine that manages them, and a cluster that
 * waits for ours. Answers what is another one at each start, by the name of its placeholder.
 */
export async function prepareServers(servers: ContractServers): Promise<Readonly<Record<string, string>>> {
  const root = await servers.cloudUser("root");
  await servers.cloudUser("billing");
  await servers.cloudUser("robot");
  await rawApi("secrets", servers.secrets).call("POST cloud/config/root", root);
  const issued = await rawApi("peer", servers.peer).call("POST peering/token", { PeerName: "platform" });
  return { "peering-token": String(Object(issued).PeeringToken) };
}

export interface RecordedResource {
  readonly resource: ResourceName;
  readonly args: Values;
}

const publicKey = readFileSync(join(__dirname, "../../examples/platform/keys/git-host.pub.pem"), "utf8");
const audience = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] };
const policySetId = "polset-demo000000000001";

/** Every resource that Terraform has, in the order of a program; the secrets are made up and guard nothing. */
export const recordedResources: readonly RecordedResource[] = [
  { resource: "sysAuthMount", args: { path: "jobs", type: "jwt", description: "Jobs", defaultLeaseTtl: "60m" } },
  { resource: "sysAuthMount", args: { path: "people", type: "oidc", listingVisibility: "unauth" } },
  { resource: "sysSecretsMount", args: { path: "platform-cloud", type: "aws", maxLeaseTtl: "24h" } },
  {
    resource: "jwtConfig",
    args: { mount: "jobs", jwtValidationPubkeys: [publicKey], boundIssuer: "https://git.example.com" },
  },
  {
    // A secret inside a map, of which the rest is shown.
    resource: "jwtConfig",
    args: {
      mount: "people",
      jwtValidationPubkeys: [publicKey],
      providerConfig: {
        provider: "gsuite",
        gsuite_service_account: '{ "type": "service_account" }',
        fetch_groups: true,
      },
    },
  },
  {
    // Values of every kind, some of them not as the server writes them.
    resource: "jwtRole",
    args: {
      ...audience,
      mount: "jobs",
      name: "Deploy",
      boundAudiences: ["b", "a"],
      boundClaims: { project: ["a", "b"], ref: "main", number: 1, protected: true },
      claimMappings: { project_path: "project" },
      tokenPolicies: ["deploy"],
      tokenBoundCidrs: ["10.0.0.1/32"],
      tokenTtl: "900",
      tokenMaxTtl: "1h",
      verboseOidcLogging: false,
    },
  },
  {
    resource: "jwtRoleSet",
    args: {
      mount: "jobs",
      defaults: audience,
      roles: { web: { tokenTtl: "10m" }, api: { boundClaims: { ref: "main" }, boundAudiences: ["api"] } },
    },
  },
  {
    resource: "sysPolicy",
    args: { name: "deploy", rules: [{ path: "secret/data/deploy/*", capabilities: ["read"], maxWrappingTtl: "1h" }] },
  },
  { resource: "sysPolicy", args: { name: "reports", policy: 'path "secret/reports" { capabilities = ["read"] }' } },
  {
    resource: "identityGroup",
    args: { name: "deployers", type: "external", policies: ["deploy"], alias: { mount: "jobs", name: "deployers" } },
  },
  {
    resource: "cloudRootConfig",
    args: {
      mount: "platform-cloud",
      accessKey: "AKIAIOSFODNN7EXAMPLE",
      secretKey: "made-up-for-the-recording",
      region: "eu-central-1",
    },
  },
  { resource: "cloudLeaseConfig", args: { mount: "platform-cloud", lease: "60m", leaseMax: "24h" } },
  {
    resource: "cloudRole",
    args: {
      mount: "platform-cloud",
      name: "backup",
      credentialType: "iam_user",
      iamTags: { team: "platform" },
      policyDocument:
        '{ "Version": "2012-10-17", "Statement": [{ "Effect": "Allow", "Action": "s3:Get*", "Resource": "*" }] }',
    },
  },
  {
    resource: "cloudRoleSet",
    args: {
      mount: "platform-cloud",
      defaults: { credentialType: "iam_user" },
      roles: { red: { policyArns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] }, blue: { iamGroups: ["blue"] } },
    },
  },
  { resource: "cloudRootRotation", args: { triggers: { quarter: "Q1" } } },
  { resource: "cloudStaticRole", args: { name: "billing", username: "billing", rotationPeriod: "24h" } },
  {
    resource: "cloudStaticRoleSet",
    args: { roles: { robot: { username: "robot", rotationPeriod: "48h" } } },
  },
  {
    resource: "clusterPeering",
    args: { peerName: "partner", peeringToken: "<peering-token>", meta: { owner: "platform" } },
  },
  {
    resource: "clusterPeeredClusters",
    args: { acceptorPeerName: "partner-dr", dialerConnection: "west", dialerPeerName: "platform-dr" },
  },
  {
    resource: "clusterExportedServices",
    args: { services: [{ name: "web", consumers: [{ peer: "partner" }] }] },
  },
  {
    resource: "clusterIntention",
    args: {
      destination: "web",
      sources: [
        { name: "shop", peer: "partner", action: "allow" },
        { name: "*", action: "deny" },
      ],
    },
  },
  { resource: "policyParameter", args: { policySetId, key: "limit", value: "5000" } },
  { resource: "policyParameter", args: { policySetId, key: "token", value: "made-up", sensitive: true } },
  { resource: "policyPolicySet", args: { organization: "demo", name: "production", description: "As recorded" } },
  {
    // A secret in a map of records, of which the rest is shown.
    resource: "policyParameterSet",
    args: {
      policySetId,
      defaults: { category: "policy-set" },
      parameters: { region: { value: "eu" }, webhook: { value: "made-up-too", sensitive: true } },
    },
  },
];
