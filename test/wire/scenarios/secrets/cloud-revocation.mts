import { defineScenario, refused } from "../../scenario.mts";

/** Credentials that are given back. */
export const cloudRevocation = defineScenario({
  topic: "cloud-revocation",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [
    // @covers beyond: Endpoints > POST sys/leases/revoke
    {
      title: "revoke what is gone already",
      request: "POST sys/leases/revoke",
      body: { lease_id: "cloud/creds/user/none" },
      outcome: "ok",
    },
    {
      title: "revoke nothing in particular",
      request: "POST sys/leases/revoke",
      body: {},
      outcome: refused(/400 lease_id must be specified/),
    },
    {
      title: "list roles where nothing is mounted",
      request: "GET none/roles?list=true",
      outcome: refused(/404 no handler for route/),
    },
  ],
});
