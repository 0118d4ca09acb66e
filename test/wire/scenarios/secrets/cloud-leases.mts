import { defineScenario, refused } from "../../scenario.mts";
import { cloudRoot as root } from "./cloud-root.mts";

/** The life of leases: shown, renewed, revoked one by one and by prefix, and what outlives them or does not. */
export const cloudLeases = defineScenario({
  topic: "cloud-leases",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19"],
  before: [
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
    { request: "POST cloud/config/root", body: root },
    { request: "POST cloud/roles/user", body: { credential_type: "iam_user" } },
    { request: "POST cloud/roles/session", body: { credential_type: "session_token" } },
  ],
  steps: [
    {
      title: "look up without a lease",
      request: "POST sys/leases/lookup",
      body: {},
      outcome: refused(/400 lease_id must be specified/),
    },
    {
      title: "look up a lease that is not there",
      request: "POST sys/leases/lookup",
      body: { lease_id: "cloud/creds/user/none" },
      outcome: refused(/400 invalid lease/),
    },
    { title: "look up by GET", request: "GET sys/leases/lookup", outcome: refused(/405 unsupported operation/) },
    { title: "list no leases", request: "GET sys/leases/lookup/cloud?list=true", outcome: "absent" },
    // @covers cloud: Limits > lease not configured
    { title: "issue", request: "GET cloud/creds/user", keep: { lease: "/lease_id" }, outcome: "ok" },
    {
      title: "list the mounts of leases",
      request: "GET sys/leases/lookup?list=true",
      outcome: { found: { keys: ["cloud/"] } },
    },
    {
      title: "list the roles of leases",
      request: "GET sys/leases/lookup/cloud/creds?list=true",
      outcome: { found: { keys: ["user/"] } },
    },
    // @covers beyond: Answer with credentials > lease_id
    {
      title: "look up",
      request: "POST sys/leases/lookup",
      body: { lease_id: "{lease}" },
      outcome: { found: { id: "<lease>", renewable: true, last_renewal: null } },
    },
    {
      title: "renew without a lease",
      request: "POST sys/leases/renew",
      body: {},
      outcome: refused(/400 lease_id must be specified/),
    },
    {
      title: "renew a lease that is not there",
      request: "POST sys/leases/renew",
      body: { lease_id: "cloud/creds/user/none" },
      outcome: refused(/400 lease not found/),
    },
    {
      title: "renew for a time that is none",
      request: "POST sys/leases/renew",
      body: { lease_id: "{lease}", increment: "abc" },
      outcome: refused(/400 Field validation failed: error converting input .*for field "increment"/),
    },
    // @covers beyond: Answer with credentials > renewable
    {
      title: "renew for an hour",
      request: "PUT sys/leases/renew",
      body: { lease_id: "{lease}", increment: "1h" },
      outcome: "ok",
    },
    { title: "renew by path", request: "POST sys/leases/renew/{lease}", body: { increment: 120 }, outcome: "ok" },
    { title: "renew by the old path", request: "POST sys/renew/{lease}", body: { nonsense: 1 }, outcome: "ok" },
    {
      title: "renew beyond the mount's limit",
      request: "POST sys/leases/renew",
      body: { lease_id: "{lease}", increment: "800h" },
      outcome: "ok",
    },
    {
      title: "look up what was renewed",
      request: "POST sys/leases/lookup",
      body: { lease_id: "{lease}" },
      outcome: { found: { id: "<lease>", renewable: true } },
    },
    {
      title: "set the engine's lease",
      request: "POST cloud/config/lease",
      body: { lease: "1h", lease_max: "2h" },
      outcome: "ok",
    },
    { title: "renew under the engine's lease", request: "POST sys/leases/renew/{lease}", body: {}, outcome: "ok" },
    {
      title: "renew beyond the engine's limit",
      request: "POST sys/leases/renew/{lease}",
      body: { increment: "3h" },
      outcome: "ok",
    },
    {
      title: "issue under the engine's lease",
      request: "GET cloud/creds/user?ttl=5m",
      keep: { second: "/lease_id" },
      outcome: "ok",
    },
    {
      title: "set a lease above its own limit",
      request: "POST cloud/config/lease",
      body: { lease: "3h", lease_max: "2h" },
      outcome: "ok",
    },
    {
      title: "issue under a lease above its limit",
      request: "GET cloud/creds/user",
      keep: { third: "/lease_id" },
      outcome: "ok",
    },
    // @covers beyond: Answer with credentials > lease_duration
    {
      title: "issue a session",
      request: "POST cloud/sts/session",
      body: {},
      keep: { session: "/lease_id" },
      outcome: "ok",
    },
    {
      title: "look up a session",
      request: "POST sys/leases/lookup",
      body: { lease_id: "{session}" },
      outcome: { found: { id: "<session>", renewable: false, last_renewal: null } },
    },
    // @covers beyond: Answer with credentials > renewable
    {
      title: "renew a session",
      request: "POST sys/leases/renew",
      body: { lease_id: "{session}" },
      outcome: refused(/400 lease is not renewable/),
    },
    { title: "revoke a session", request: "POST sys/leases/revoke", body: { lease_id: "{session}" }, outcome: "ok" },
    {
      title: "revoke without a lease",
      request: "POST sys/leases/revoke",
      body: {},
      outcome: refused(/400 lease_id must be specified/),
    },
    // @covers beyond: Endpoints > POST sys/leases/revoke
    { title: "revoke", request: "PUT sys/leases/revoke", body: { lease_id: "{lease}", sync: true }, outcome: "ok" },
    { title: "revoke once more", request: "POST sys/leases/revoke/{lease}", body: {}, outcome: "ok" },
    {
      title: "look up what was revoked",
      request: "POST sys/leases/lookup",
      body: { lease_id: "{lease}" },
      outcome: refused(/400 invalid lease/),
    },
    { title: "revoke some time", request: "POST sys/revoke/{third}", body: { sync: false }, outcome: "ok" },
    { title: "delete the role", request: "DELETE cloud/roles/user", outcome: "ok" },
    {
      title: "look up a lease whose role was deleted",
      request: "POST sys/leases/lookup",
      body: { lease_id: "{second}" },
      outcome: { found: { id: "<second>" } },
    },
    {
      title: "renew a lease whose role was deleted",
      request: "POST sys/leases/renew",
      body: { lease_id: "{second}" },
      outcome: "ok",
    },
    { title: "revoke a prefix", request: "POST sys/leases/revoke-prefix/cloud/creds", body: {}, outcome: "ok" },
    { title: "revoke a prefix without leases", request: "PUT sys/revoke-prefix/cloud/none", body: {}, outcome: "ok" },
    {
      title: "look up a lease whose prefix was revoked",
      request: "POST sys/leases/lookup",
      body: { lease_id: "{second}" },
      outcome: refused(/400 invalid lease/),
    },
    {
      title: "issue to be forced",
      request: "POST cloud/sts/session",
      body: {},
      keep: { forced: "/lease_id" },
      outcome: "ok",
    },
    { title: "revoke by force", request: "POST sys/leases/revoke-force/cloud/sts", body: {}, outcome: "ok" },
    {
      title: "look up what was revoked by force",
      request: "POST sys/leases/lookup",
      body: { lease_id: "{forced}" },
      outcome: refused(/400 invalid lease/),
    },
    {
      title: "revoke a prefix later",
      request: "POST sys/leases/revoke-prefix/cloud",
      body: { sync: false },
      outcome: "ok",
    },
    {
      title: "issue before the end",
      request: "POST cloud/sts/session",
      body: {},
      keep: { last: "/lease_id" },
      outcome: "ok",
    },
    { title: "disable the mount", request: "DELETE sys/mounts/cloud", outcome: "ok" },
    {
      title: "look up a lease whose mount was disabled",
      request: "POST sys/leases/lookup",
      body: { lease_id: "{last}" },
      outcome: refused(/400 invalid lease/),
    },
  ],
});
