import * as trustplane from "trustplane";
import { teams } from "./teams";

const jobs = new trustplane.sys.AuthMount("jobs", { path: "jobs", type: "jwt", maxLeaseTtl: "1h" });

for (const team of teams) {
  const policy = new trustplane.sys.Policy(team, {
    name: team,
    rules: [{ path: `secret/data/${team}/*`, capabilities: ["read"] }],
  });
  new trustplane.jwt.Role(team, {
    mount: jobs.path,
    name: team,
    roleType: "jwt",
    userClaim: "sub",
    boundAudiences: ["https://vault.example.com"],
    boundClaimsType: "glob",
    boundClaims: { project_path: `${team}/*`, ref: "main" },
    tokenPolicies: [policy.name],
    tokenTtl: "15m",
  });
}
