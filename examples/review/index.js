const trustplane = require("trustplane");

const jobs = new trustplane.sys.AuthMount("jobs", { path: "jobs", type: "jwt", maxLeaseTtl: "1h" });

new trustplane.jwt.Role("deploy", {
  mount: jobs.path,
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://vault.example.com"],
  boundClaims: { project_path: "acme/platform", ref: ["main", "release"] },
  tokenPolicies: ["deploy"],
  tokenTtl: "10m",
});

new trustplane.jwt.Role("lint", {
  mount: jobs.path,
  name: "lint",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://vault.example.com"],
  boundClaims: { project_path: "acme/platform" },
  tokenTtl: "5m",
});
