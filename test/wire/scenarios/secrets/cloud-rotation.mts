import { defineScenario, refused } from "../../scenario.mts";
import { cloudRoot as root } from "./cloud-root.mts";

/** What the cloud engine does at the cloud: static roles, and a new root key. */
export const cloudRotation = defineScenario({
  topic: "cloud-rotation",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  cloudUsers: ["app", "other"],
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [
    // @covers cloud: Endpoints > POST {mount}/config/rotate-root
    {
      title: "rotate the root key before there is one",
      request: "POST cloud/config/rotate-root",
      outcome: refused(/500 no configuration found for config\/root/),
    },
    {
      title: "configure without a key",
      request: "POST cloud/config/root",
      body: { region: "us-east-1" },
      outcome: "ok",
    },
    {
      title: "rotate a root key that is not there",
      request: "POST cloud/config/rotate-root",
      outcome: refused(
        /^400 Cannot call config\/rotate-root when either .*Give the root configuration an access key and secret key first|^500 number of regions does not match/,
      ),
    },
    { title: "configure", request: "POST cloud/config/root", body: root, outcome: "ok" },
    // @covers cloud: Endpoints > GET {mount}/static-roles/{name}
    { title: "read a static role that is not there", request: "GET cloud/static-roles/app", outcome: "absent" },
    // @covers cloud: Endpoints > GET {mount}/static-creds/{name}
    { title: "read credentials that are not there", request: "GET cloud/static-creds/app", outcome: "absent" },
    // @covers cloud: Endpoints > DELETE {mount}/static-roles/{name}
    { title: "delete a static role that is not there", request: "DELETE cloud/static-roles/app", outcome: "ok" },
    // @covers beyond: Endpoints > GET {mount}/static-roles?list=true
    {
      title: "list no static roles",
      request: "GET cloud/static-roles?list=true",
      servers: ["vault-1.21"],
      outcome: "absent",
    },
    {
      title: "list static roles where that is unknown",
      request: "GET cloud/static-roles?list=true",
      servers: ["vault-1.19"],
      outcome: refused(/404 unsupported path .*the server is too old for this/),
    },
    // @covers cloud: What the service does > static roles adopt a user
    // @covers cloud: Static role > stored record
    // @covers cloud: Endpoints > POST {mount}/static-roles/{name}
    {
      title: "create",
      request: "POST cloud/static-roles/app",
      body: { username: "app", rotation_period: "24h" },
      keep: { appId: "/data/id" },
      outcome: "ok",
    },
    // @covers cloud: Static role > stored record
    // @covers cloud: Endpoints > GET {mount}/static-roles/{name}
    // @covers beyond: cloud.StaticRole > assume_role_arn
    // @covers beyond: cloud.StaticRole > assume_role_session_name
    // @covers beyond: cloud.StaticRole > external_id
    {
      title: "read",
      request: "GET cloud/static-roles/app",
      outcome: { found: { username: "app", rotation_period: 86_400, id: "<appId>" } },
    },
    // @covers cloud: Endpoints > GET {mount}/static-creds/{name}
    // @covers beyond: Answer with credentials > access_key
    // @covers beyond: Answer with credentials > expiration
    { title: "read the credentials", request: "GET cloud/static-creds/app", outcome: "ok" },
    // @covers beyond: Endpoints > GET {mount}/static-roles?list=true
    { title: "list", request: "GET cloud/static-roles?list=true", servers: ["vault-1.21"], outcome: "ok" },
    // @covers cloud: Rotation of static roles > 3: another period
    {
      title: "change the period",
      request: "POST cloud/static-roles/app",
      body: { rotation_period: 86_400 },
      outcome: "ok",
    },
    // @covers cloud: Endpoints > POST {mount}/static-roles/{name}
    { title: "change nothing", request: "POST cloud/static-roles/app", body: {}, outcome: "ok" },
    // @covers cloud: Endpoints > POST {mount}/static-roles/{name}
    {
      title: "create with unknown members",
      request: "POST cloud/static-roles/odd",
      body: { username: "other", rotation_period: 60, nonsense: 1 },
      keep: { otherId: "/data/id" },
      outcome: "ok",
    },
    // @covers cloud: Static role > username
    {
      title: "refuse no user",
      request: "POST cloud/static-roles/new",
      body: { rotation_period: "24h" },
      outcome: refused(/400 missing "username" parameter/),
    },
    // @covers cloud: Static role > rotation_period
    {
      title: "refuse no period",
      request: "POST cloud/static-roles/new",
      body: { username: "app" },
      outcome: refused(/400 missing "rotation_period" parameter/),
    },
    // @covers cloud: Static role > rotation_period
    // @covers cloud: Limits > rotation_period of a minute
    {
      title: "refuse a period under a minute",
      request: "POST cloud/static-roles/new",
      body: { username: "app", rotation_period: 59 },
      outcome: refused(/500 role rotation period out of range/),
    },
    {
      title: "refuse a period that is none",
      request: "POST cloud/static-roles/new",
      body: { username: "app", rotation_period: "abc" },
      outcome: refused(/400 Field validation failed: error converting input .*for field "rotation_period"/),
    },
    // @covers cloud: Static role > username
    {
      title: "refuse an unknown user",
      request: "POST cloud/static-roles/new",
      body: { username: "nobody", rotation_period: "24h" },
      outcome: refused(/500 unable to validate username "nobody": NoSuchEntity/),
    },
    // @covers cloud: Static role > username
    {
      title: "refuse another user",
      request: "POST cloud/static-roles/app",
      body: { username: "other" },
      outcome: refused(/500 /),
    },
    {
      title: "write the credentials",
      request: "POST cloud/static-creds/app",
      body: {},
      outcome: refused(/405 unsupported operation/),
    },
    {
      title: "list the credentials",
      request: "GET cloud/static-creds?list=true",
      outcome: refused(/404 unsupported path/),
    },
    // @covers cloud: Endpoints > DELETE {mount}/static-roles/{name}
    { title: "delete", request: "DELETE cloud/static-roles/app", outcome: "ok" },
    { title: "read what was deleted", request: "GET cloud/static-roles/app", outcome: "absent" },
    { title: "read credentials that were deleted", request: "GET cloud/static-creds/app", outcome: "absent" },
    {
      title: "rotate the root key by GET",
      request: "GET cloud/config/rotate-root",
      outcome: refused(/405 unsupported operation/),
    },
    // @covers cloud: Endpoints > POST {mount}/config/rotate-root
    {
      title: "rotate the root key",
      request: "POST cloud/config/rotate-root",
      keep: { newKey: "/data/access_key" },
      outcome: { found: { access_key: "<newKey>" } },
    },
    // @covers beyond: cloud.RootConfig > access_key
    {
      title: "read the configuration with the new key",
      request: "GET cloud/config/root",
      outcome: { found: { access_key: "<newKey>" } },
    },
  ],
});
