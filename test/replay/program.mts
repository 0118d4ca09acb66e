/** The two texts of the program that is recorded: the second one changes something of every kind. */
export const recordedProgram = { first: program(1), second: program(2) } as const;

/** Every resource, a secret inside a map, references between records, and a function; the secrets are made up and guard nothing. */
function program(revision: 1 | 2): string {
  const [first, second] = revision === 1 ? [true, false] : [false, true];
  return `
const pulumi = require("@pulumi/pulumi");
const trustplane = require("trustplane/native");

const jobs = new trustplane.sys.AuthMount("jobs", { path: "jobs", type: "jwt", description: "Jobs ${revision}" });
const cloud = new trustplane.sys.SecretsMount("cloud", { path: "platform-cloud", type: "aws" });
new trustplane.jwt.Config("jobs", { mount: jobs.path, jwtValidationPubkeys: [process.env.PUBLIC_KEY], boundIssuer: "https://git.example.com" });
const role = new trustplane.jwt.Role("deploy", {
  mount: jobs.path, name: "${first ? "deploy" : "release"}", roleType: "jwt", userClaim: "sub",
  boundAudiences: ["https://secrets.example.com"],
  boundClaims: { project: [pulumi.secret("hidden"), "${first ? "a" : "b"}"], ref: "main" },
  tokenPolicies: ["deploy"], tokenTtl: "15m",
});
new trustplane.sys.Policy("deploy", {
  name: "deploy", rules: [{ path: "secret/data/${first ? "deploy" : "release"}/*", capabilities: ["read"], maxWrappingTtl: "${revision}h" }],
});
new trustplane.sys.Policy("reports", { name: "reports", policy: 'path "secret/data/reports" { capabilities = ["${first ? "read" : "list"}"] }' });
new trustplane.identity.Group("deployers", {
  name: "deployers", type: "external", policies: ["deploy-${revision}"], alias: { mount: jobs.path, name: "${first ? "deploy" : "release"}" },
});
const root = new trustplane.cloud.RootConfig("cloud", {
  mount: cloud.path, accessKey: process.env.ROOT_ACCESS_KEY, secretKey: pulumi.secret(process.env.ROOT_SECRET_KEY), rotatedByServer: true,
});
const rotation = new trustplane.cloud.RootRotation("cloud",
  { mount: cloud.path, triggers: { quarter: "Q${revision}" } }, { dependsOn: root });
new trustplane.cloud.LeaseConfig("cloud", { mount: cloud.path, lease: "${revision}h", leaseMax: "24h" });
new trustplane.cloud.Role("backup", {
  mount: cloud.path, name: "backup", credentialType: "iam_user", iamTags: { team: "platform" },
  policyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: ["s3:Get*"], Resource: ["*"] }] },
});
new trustplane.cloud.StaticRole("billing",
  { mount: cloud.path, name: "billing", username: "billing", rotationPeriod: "${23 + revision}h" }, { dependsOn: rotation });
new trustplane.jwt.RoleSet("services", {
  mount: jobs.path, defaults: { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] },
  roles: { web: { tokenTtl: "${first ? "10m" : "20m"}" }, ${first ? "api" : "worker"}: { boundClaims: { ref: pulumi.secret("hidden") } } },
}, { dependsOn: role });
new trustplane.cloud.RoleSet("teams", {
  mount: cloud.path, defaults: { credentialType: "iam_user" },
  roles: { red: { policyArns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] }, blue: { policyArns: ["arn:aws:iam::aws:policy/${first ? "A" : "B"}"] } },
});
new trustplane.cloud.StaticRoleSet("robots",
  { mount: cloud.path, roles: { robot: { username: "robot", rotationPeriod: "${23 + revision}h" } } }, { dependsOn: rotation });
const token = new trustplane.cluster.PeeringToken("partner", { peerName: "partner", meta: { owner: "platform" } });
new trustplane.cluster.Peering("platform", { connection: "partner", peerName: "platform", peeringToken: token.peeringToken });
new trustplane.cluster.PeeredClusters("recovery",
  { acceptorPeerName: "partner-dr", dialerConnection: "partner", dialerPeerName: "platform-dr" });
new trustplane.cluster.ExportedServices("exported",
  { services: [{ name: "web", consumers: [{ peer: "partner" }${second ? `, { peer: "partner-dr" }` : ""}] }] });
new trustplane.cluster.Intention("web", {
  destination: "web", sources: [{ name: "shop", peer: "partner", action: "${first ? "allow" : "deny"}" }, { name: "*", action: "deny" }],
});
new trustplane.policy.Parameter("token",
  { policySetId: process.env.POLICY_SET, key: "token", value: pulumi.secret("value-${revision}"), sensitive: true });
new trustplane.policy.Parameter("limit", { policySetId: process.env.POLICY_SET, key: "limit", value: "${second ? 9000 : 5000}" });
new trustplane.policy.ParameterSet("limits", {
  policySetId: process.env.POLICY_SET,
  parameters: { cpu: { value: "${second ? 8 : 4}" }, webhook: { value: pulumi.secret("hook-${revision}"), sensitive: true } },
});
const production = new trustplane.policy.PolicySet("production",
  { organization: "demo", name: "production", description: "Revision ${revision}", global: ${second} });
new trustplane.policy.Parameter("regions", { policySetId: production.policySetId, key: "regions", value: "eu" });
exports.ttl = trustplane.jwt.getRoleOutput({ mount: jobs.path, name: role.name }).tokenTtl;
`;
}
