// Which cloud credentials the secrets server hands out, and with which it manages the cloud itself.
import { Config } from "@pulumi/pulumi";
import * as trustplane from "trustplane";

const config = new Config();

export const engine = new trustplane.sys.SecretsMount("cloud", {
  path: "platform-cloud",
  type: "aws",
  description: "Credentials for our cloud account",
});

const root = new trustplane.cloud.RootConfig("cloud", {
  mount: engine.path,
  accessKey: config.require("cloudAccessKey"),
  secretKey: config.requireSecret("cloudSecretKey"),
  region: "eu-central-1",
  // Only for a cloud other than the public one: pulumi config set --plaintext cloudEndpoint https://cloud.example.com
  iamEndpoint: config.get("cloudEndpoint"),
  stsEndpoint: config.get("cloudEndpoint"),
  // The rotation below makes another key, which is no drift.
  rotatedByServer: true,
});

// Exchanges the key above for one that only the secrets server knows; another quarter, another key.
export const rotation = new trustplane.cloud.RootRotation(
  "cloud",
  { mount: engine.path, triggers: { quarter: "2026-Q4" } },
  { dependsOn: root },
);

new trustplane.cloud.LeaseConfig("cloud", { mount: engine.path, lease: "1h", leaseMax: "24h" });

// Short-lived credentials for the job that deploys.
new trustplane.cloud.Role("deploy", {
  mount: engine.path,
  name: "deploy",
  credentialType: "assumed_role",
  roleArns: ["arn:aws:iam::123456789012:role/deploy"],
  defaultStsTtl: "15m",
  maxStsTtl: "1h",
});

// The same account seen through a narrow policy.
new trustplane.cloud.Role("read-artifacts", {
  mount: engine.path,
  name: "read-artifacts",
  credentialType: "federation_token",
  policyDocument: {
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: ["s3:GetObject"], Resource: ["arn:aws:s3:::artifacts/*"] }],
  },
  defaultStsTtl: "15m",
});

// A user of its own for every lease, for tools that cannot use session tokens.
new trustplane.cloud.Role("backup", {
  mount: engine.path,
  name: "backup",
  credentialType: "iam_user",
  policyArns: ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"],
  permissionsBoundaryArn: "arn:aws:iam::123456789012:policy/issued-by-secrets-server",
  userPath: "/issued/",
  iamTags: { team: "platform" },
});

new trustplane.cloud.Role("whoami", { mount: engine.path, name: "whoami", credentialType: "session_token" });

// An existing user, whose key is exchanged every day.
new trustplane.cloud.StaticRole(
  "billing-export",
  { mount: engine.path, name: "billing-export", username: "billing-export", rotationPeriod: "24h" },
  { dependsOn: rotation },
);
