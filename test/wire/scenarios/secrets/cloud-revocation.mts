import { defineScenario, refused, step } from "../../scenario.mts";

/** Credentials that are given back. */
export const cloudRevocation = defineScenario({
  topic: "cloud-revocation",
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [
    // @covers beyond: Endpoints > POST sys/leases/revoke
    step("revoke what is gone already", "POST sys/leases/revoke", "ok", {
      body: { lease_id: "cloud/creds/user/none" },
    }),
    step("revoke nothing in particular", "POST sys/leases/revoke", refused(/400 lease_id must be specified/), {
      body: {},
    }),
    step("list roles where nothing is mounted", "GET none/roles?list=true", refused(/404 no handler for route/)),
  ],
});
