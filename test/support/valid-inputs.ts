import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import type { Values } from "../../provider/core/definition";
import type { definitions } from "../../provider/resources";
import { createCertificateAuthority } from "../../server/cluster/certificate-authority";

export type DefinitionName = keyof typeof definitions;

/** A public key of this run, as PEM. */
export function publicKeyPem(): string {
  return String(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" }));
}

/** A self-signed CA certificate of this run, as PEM. */
export const certificatePem = createCertificateAuthority({ now: new Date() }).rootPem;

/** A peering token of the right shape; no cluster knows it. */
export function peeringTokenText(content: Values = {}): string {
  const { hostname } = { hostname: `server.dc1.peering.${randomUUID()}.consul` };
  const token = {
    CA: [certificatePem],
    ServerAddresses: ["127.0.0.1:8503"],
    ServerName: hostname,
    PeerID: randomUUID(),
  };
  return Buffer.from(JSON.stringify({ ...token, EstablishmentSecret: randomUUID(), ...content })).toString("base64");
}

const secret = () => randomBytes(12).toString("base64url");
const roleArn = "arn:aws:iam::123456789012:role/deploy";
const policyArn = "arn:aws:iam::123456789012:policy/read";
const policyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [] });

/**
 * For every resource the smallest inputs that pass, one for each way to write it: the starting points of the
 * arbitraries and of the tables of rules.
 */
export const validInputs: Readonly<Record<DefinitionName, readonly [Values, ...Values[]]>> = {
  cloudLeaseConfig: [{ lease: "1h", leaseMax: "24h" }],
  cloudRole: [
    { name: "deploy", credentialType: "assumed_role", roleArns: [roleArn] },
    { name: "deploy", credentialType: "iam_user", policyArns: [policyArn] },
    { name: "deploy", credentialType: "federation_token", policyDocument },
    { name: "deploy", credentialType: "session_token" },
    { name: "deploy", policy: policyDocument },
    { name: "deploy", arn: roleArn },
    { name: "deploy", arn: policyArn },
  ],
  cloudRoleSet: [
    { roles: { deploy: { credentialType: "assumed_role", roleArns: [roleArn] } } },
    {
      defaults: { credentialType: "iam_user", userPath: "/ci/" },
      roles: { deploy: { policyDocument }, admin: { policyArns: [policyArn], userPath: "" } },
    },
  ],
  cloudRootConfig: [
    {},
    { accessKey: "AKIAEXAMPLE", secretKey: secret() },
    { roleArn, identityTokenAudience: "vault" },
    { rotationSchedule: "0 0 * * 6", rotationWindow: "1h" },
    { rotationPeriod: "30d" },
    { stsFallbackEndpoints: ["https://sts.example.com"], stsFallbackRegions: ["eu-west-1"] },
  ],
  cloudRootRotation: [{}],
  cloudStaticRole: [
    { name: "app", username: "app", rotationPeriod: "24h" },
    { name: "app", username: "app", rotationPeriod: 60, assumeRoleArn: roleArn, externalId: "x" },
  ],
  cloudStaticRoleSet: [
    { roles: { app: { username: "app", rotationPeriod: "24h" } } },
    {
      defaults: { rotationPeriod: 60 },
      roles: { app: { username: "app" }, web: { username: "b", rotationPeriod: "1d" } },
    },
  ],
  clusterExportedServices: [
    { services: [] },
    { partition: "east", services: [{ name: "*", namespace: "*", consumers: [{ peer: "west" }] }] },
    { services: [{ name: "web", consumers: [{ partition: "east" }, { samenessGroup: "all" }] }] },
  ],
  clusterIntention: [
    { destination: "web", sources: [{ name: "api", action: "allow" }] },
    { destination: "*", namespace: "shop", partition: "east", sources: [{ name: "*", peer: "west", action: "deny" }] },
    {
      destination: "web",
      sources: [
        { name: "api", permissions: [{ action: "allow", http: { pathPrefix: "/v1", methods: ["get"] } }] },
        { name: "api", samenessGroup: "all", action: "allow" },
      ],
      jwt: { providers: [{ name: "issuer", verifyClaims: [{ path: ["a"], value: "b" }] }] },
    },
  ],
  clusterPeeredClusters: [{ acceptorPeerName: "b", dialerPeerName: "a", dialerConnection: "east" }],
  clusterPeering: [{ peerName: "a", peeringToken: peeringTokenText() }],
  clusterPeeringToken: [{ peerName: "b" }],
  identityGroup: [
    { name: "platform" },
    {
      name: "Platform team",
      type: "internal",
      memberEntityIds: ["7d2e3179-f69b-450c-7179-ac8ee8bd8ca9"],
      memberGroupIds: ["41a52af3-1f24-4d2b-8d7e-6b0f3a1c9e55"],
    },
    { name: "engineers", type: "external", policies: ["deploy"], alias: { mount: "people", name: "engineers" } },
  ],
  jwtConfig: [
    { oidcDiscoveryUrl: "https://issuer.example.com", oidcClientId: "id", oidcClientSecret: secret() },
    { oidcDiscoveryUrl: "https://issuer.example.com" },
    { jwksUrl: "https://issuer.example.com/keys" },
    { jwksPairs: [{ jwksUrl: "https://issuer.example.com/keys", jwksCaPem: certificatePem }] },
    { jwtValidationPubkeys: [publicKeyPem()] },
    { providerConfig: { provider: "kubernetes" } },
    {
      jwksUrl: "https://issuer.example.com/keys",
      providerConfig: { provider: "gsuite", gsuite_service_account: secret(), fetch_groups: true, max: 5 },
    },
  ],
  jwtRole: [
    { name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["https://vault.example.com"] },
    { name: "ui", userClaim: "email", allowedRedirectUris: ["https://app.example.com/oidc/callback"] },
  ],
  jwtRoleSet: [
    { roles: { ci: { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://vault.example.com"] } } },
    {
      defaults: { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://vault.example.com"] },
      roles: { ci: { boundClaims: { project: ["a", "b"] } }, "deploy-web": { tokenTtl: "15m" } },
    },
  ],
  policyParameter: [
    { policySetId: "polset-demo000000000001", key: "limit" },
    { policySetId: "polset-demo000000000001", key: "password", value: secret(), sensitive: true },
  ],
  policyParameterSet: [
    { policySetId: "polset-demo000000000001", parameters: { limit: {} } },
    {
      policySetId: "polset-demo000000000001",
      defaults: { value: "none" },
      parameters: { limit: {}, password: { value: secret(), sensitive: true } },
    },
  ],
  policyPolicySet: [
    { organization: "demo", name: "production" },
    { organization: "demo", name: "production", agentEnabled: true, policyToolVersion: "0.40.0" },
    { organization: "demo", name: "production", kind: "opa", agentEnabled: true, policyToolVersion: "0.70.0" },
    {
      organization: "demo",
      name: "production",
      vcsRepo: { identifier: "acme/policies", branch: "main", oauthTokenId: "ot-demo000000000001" },
      policiesPath: "/production",
    },
  ],
  sysAuthMount: [
    { path: "jwt-ci", type: "jwt" },
    { path: "people", type: "userpass", userLockoutConfig: { lockoutThreshold: 5, lockoutDuration: "15m" } },
  ],
  sysPolicy: [
    { name: "ci", policy: 'path "secret/data/ci/*" { capabilities = ["read"] }' },
    { name: "ci", rules: [{ path: "secret/data/ci/*", capabilities: ["read", "list"] }] },
  ],
  sysSecretsMount: [{ path: "cloud-ci", type: "aws" }],
};
