import { defineScenario, refused, step } from "../../scenario.mts";
import { cloudRoot as root } from "./cloud-root.mts";

/** The life of leases: shown, renewed, revoked one by one and by prefix, and what outlives them or does not. */
export const cloudLeases = defineScenario({
  topic: "cloud-leases",
  servers: ["vault-1.21", "vault-1.19"],
  before: [
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
    { request: "POST cloud/config/root", body: root },
    { request: "POST cloud/roles/user", body: { credential_type: "iam_user" } },
    { request: "POST cloud/roles/session", body: { credential_type: "session_token" } },
  ],
  steps: [
    step("look up without a lease", "POST sys/leases/lookup", refused(/400 lease_id must be specified/), { body: {} }),
    step("look up a lease that is not there", "POST sys/leases/lookup", refused(/400 invalid lease/), {
      body: { lease_id: "cloud/creds/user/none" },
    }),
    step("look up by GET", "GET sys/leases/lookup", refused(/405 unsupported operation/)),
    step("list no leases", "GET sys/leases/lookup/cloud?list=true", "absent"),
    // @covers cloud: Limits > lease not configured
    step("issue", "GET cloud/creds/user", "ok", { keep: { lease: "/lease_id" } }),
    step("list the mounts of leases", "GET sys/leases/lookup?list=true", { found: { keys: ["cloud/"] } }),
    step("list the roles of leases", "GET sys/leases/lookup/cloud/creds?list=true", { found: { keys: ["user/"] } }),
    // @covers beyond: Answer with credentials > lease_id
    step(
      "look up",
      "POST sys/leases/lookup",
      { found: { id: "<lease>", renewable: true, last_renewal: null } },
      { body: { lease_id: "{lease}" } },
    ),
    step("renew without a lease", "POST sys/leases/renew", refused(/400 lease_id must be specified/), { body: {} }),
    step("renew a lease that is not there", "POST sys/leases/renew", refused(/400 lease not found/), {
      body: { lease_id: "cloud/creds/user/none" },
    }),
    step(
      "renew for a time that is none",
      "POST sys/leases/renew",
      refused(/400 Field validation failed: error converting input .*for field "increment"/),
      { body: { lease_id: "{lease}", increment: "abc" } },
    ),
    // @covers beyond: Answer with credentials > renewable
    step("renew for an hour", "PUT sys/leases/renew", "ok", { body: { lease_id: "{lease}", increment: "1h" } }),
    step("renew by path", "POST sys/leases/renew/{lease}", "ok", { body: { increment: 120 } }),
    step("renew by the old path", "POST sys/renew/{lease}", "ok", { body: { nonsense: 1 } }),
    step("renew beyond the mount's limit", "POST sys/leases/renew", "ok", {
      body: { lease_id: "{lease}", increment: "800h" },
    }),
    step(
      "look up what was renewed",
      "POST sys/leases/lookup",
      { found: { id: "<lease>", renewable: true } },
      { body: { lease_id: "{lease}" } },
    ),
    step("set the engine's lease", "POST cloud/config/lease", "ok", { body: { lease: "1h", lease_max: "2h" } }),
    step("renew under the engine's lease", "POST sys/leases/renew/{lease}", "ok", { body: {} }),
    step("renew beyond the engine's limit", "POST sys/leases/renew/{lease}", "ok", { body: { increment: "3h" } }),
    step("issue under the engine's lease", "GET cloud/creds/user?ttl=5m", "ok", { keep: { second: "/lease_id" } }),
    step("set a lease above its own limit", "POST cloud/config/lease", "ok", {
      body: { lease: "3h", lease_max: "2h" },
    }),
    step("issue under a lease above its limit", "GET cloud/creds/user", "ok", { keep: { third: "/lease_id" } }),
    // @covers beyond: Answer with credentials > lease_duration
    step("issue a session", "POST cloud/sts/session", "ok", { body: {}, keep: { session: "/lease_id" } }),
    step(
      "look up a session",
      "POST sys/leases/lookup",
      { found: { id: "<session>", renewable: false, last_renewal: null } },
      { body: { lease_id: "{session}" } },
    ),
    // @covers beyond: Answer with credentials > renewable
    step("renew a session", "POST sys/leases/renew", refused(/400 lease is not renewable/), {
      body: { lease_id: "{session}" },
    }),
    step("revoke a session", "POST sys/leases/revoke", "ok", { body: { lease_id: "{session}" } }),
    step("revoke without a lease", "POST sys/leases/revoke", refused(/400 lease_id must be specified/), { body: {} }),
    // @covers beyond: Endpoints > POST sys/leases/revoke
    step("revoke", "PUT sys/leases/revoke", "ok", { body: { lease_id: "{lease}", sync: true } }),
    step("revoke once more", "POST sys/leases/revoke/{lease}", "ok", { body: {} }),
    step("look up what was revoked", "POST sys/leases/lookup", refused(/400 invalid lease/), {
      body: { lease_id: "{lease}" },
    }),
    step("revoke some time", "POST sys/revoke/{third}", "ok", { body: { sync: false } }),
    step("delete the role", "DELETE cloud/roles/user", "ok"),
    step(
      "look up a lease whose role was deleted",
      "POST sys/leases/lookup",
      { found: { id: "<second>" } },
      { body: { lease_id: "{second}" } },
    ),
    step("renew a lease whose role was deleted", "POST sys/leases/renew", "ok", { body: { lease_id: "{second}" } }),
    step("revoke a prefix", "POST sys/leases/revoke-prefix/cloud/creds", "ok", { body: {} }),
    step("revoke a prefix without leases", "PUT sys/revoke-prefix/cloud/none", "ok", { body: {} }),
    step("look up a lease whose prefix was revoked", "POST sys/leases/lookup", refused(/400 invalid lease/), {
      body: { lease_id: "{second}" },
    }),
    step("issue to be forced", "POST cloud/sts/session", "ok", { body: {}, keep: { forced: "/lease_id" } }),
    step("revoke by force", "POST sys/leases/revoke-force/cloud/sts", "ok", { body: {} }),
    step("look up what was revoked by force", "POST sys/leases/lookup", refused(/400 invalid lease/), {
      body: { lease_id: "{forced}" },
    }),
    step("revoke a prefix later", "POST sys/leases/revoke-prefix/cloud", "ok", { body: { sync: false } }),
    step("issue before the end", "POST cloud/sts/session", "ok", { body: {}, keep: { last: "/lease_id" } }),
    step("disable the mount", "DELETE sys/mounts/cloud", "ok"),
    step("look up a lease whose mount was disabled", "POST sys/leases/lookup", refused(/400 invalid lease/), {
      body: { lease_id: "{last}" },
    }),
  ],
});
