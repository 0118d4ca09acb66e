// Who may log in: jobs of our Git host with their ID tokens, people through the company's OIDC provider.
import { readFileSync } from "node:fs";
import { Config } from "@pulumi/pulumi";
import * as trustplane from "trustplane";
import * as policies from "./policies";

export const jobs = new trustplane.sys.AuthMount("jobs", {
  path: "jobs",
  type: "jwt",
  description: "Jobs of our Git host",
});

new trustplane.jwt.Config("jobs", {
  mount: jobs.path,
  boundIssuer: "https://git.example.com",
  // The Git host's public key. A host that can be reached takes `jwksUrl` or `oidcDiscoveryUrl` instead.
  jwtValidationPubkeys: [readFileSync(`${__dirname}/keys/git-host.pub.pem`, "utf8")],
});

new trustplane.jwt.Role("deploy", {
  mount: jobs.path,
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://secrets.example.com"],
  boundClaims: { project_path: "platform/infrastructure", ref_protected: "true", ref: "main" },
  claimMappings: { project_path: "project", pipeline_id: "pipeline" },
  tokenPolicies: [policies.deploy.name],
  tokenTtl: "15m",
  tokenMaxTtl: "1h",
});

new trustplane.jwt.Role("merge-request", {
  mount: jobs.path,
  name: "merge-request",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://secrets.example.com"],
  boundClaims: { project_path: "platform/*" },
  boundClaimsType: "glob",
  tokenPolicies: [policies.readOnly.name],
  tokenType: "batch",
  tokenTtl: "10m",
});

const people = new trustplane.sys.AuthMount("people", {
  path: "people",
  type: "oidc",
  description: "Everybody who works here",
  listingVisibility: "unauth",
});

// The secrets server asks the OIDC provider when it is configured, so there must be one:
//   pulumi config set --plaintext issuer https://login.example.com && pulumi config set --secret oidcClientSecret
const config = new Config();
const issuer = config.get("issuer");
if (issuer) {
  new trustplane.jwt.Config("people", {
    mount: people.path,
    oidcDiscoveryUrl: issuer,
    oidcClientId: config.get("oidcClientId") ?? "secrets-server",
    oidcClientSecret: config.requireSecret("oidcClientSecret"),
    defaultRole: "engineer",
  });
}

new trustplane.jwt.Role("engineer", {
  mount: people.path,
  name: "engineer",
  userClaim: "email",
  groupsClaim: "groups",
  oidcScopes: ["profile", "email", "groups"],
  allowedRedirectUris: [
    "http://localhost:8250/oidc/callback",
    "https://secrets.example.com/ui/vault/auth/people/oidc/callback",
  ],
  tokenPolicies: [policies.engineer.name],
  tokenBoundCidrs: ["10.0.0.0/8", "127.0.0.1/32"],
  tokenTtl: "8h",
});

// Whom the OIDC provider names as one of this team also gets these policies.
new trustplane.identity.Group("platform-team", {
  name: "platform-team",
  type: "external",
  policies: [policies.deploy.name, policies.readOnly.name],
  metadata: { owner: "platform" },
  alias: { mount: people.path, name: "platform-team" },
});
