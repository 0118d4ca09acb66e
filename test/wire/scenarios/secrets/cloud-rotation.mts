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
    { title: "read a static role that is not there", request: "GET cloud/static-roles/app", outcome: "absent" },
    { title: "read credentials that are not there", request: "GET cloud/static-creds/app", outcome: "absent" },
    { title: "delete a static role that is not there", request: "DELETE cloud/static-roles/app", outcome: "ok" },
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
    {
      title: "create",
      request: "POST cloud/static-roles/app",
      body: { username: "app", rotation_period: "24h" },
      keep: { appId: "/data/id" },
      outcome: "ok",
    },
    {
      title: "read",
      request: "GET cloud/static-roles/app",
      outcome: { found: { username: "app", rotation_period: 86_400, id: "<appId>" } },
    },
    { title: "read the credentials", request: "GET cloud/static-creds/app", outcome: "ok" },
    { title: "list", request: "GET cloud/static-roles?list=true", servers: ["vault-1.21"], outcome: "ok" },
    {
      title: "change the period",
      request: "POST cloud/static-roles/app",
      body: { rotation_period: 86_400 },
      outcome: "ok",
    },
    { title: "change nothing", request: "POST cloud/static-roles/app", body: {}, outcome: "ok" },
    {
      title: "create with unknown members",
      request: "POST cloud/static-roles/odd",
      body: { username: "other", rotation_period: 60, nonsense: 1 },
      keep: { otherId: "/data/id" },
      outcome: "ok",
    },
    {
      title: "refuse no user",
      request: "POST cloud/static-roles/new",
      body: { rotation_period: "24h" },
      outcome: refused(/400 missing "username" parameter/),
    },
    {
      title: "refuse no period",
      request: "POST cloud/static-roles/new",
      body: { username: "app" },
      outcome: refused(/400 missing "rotation_period" parameter/),
    },
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
    {
      title: "refuse an unknown user",
      request: "POST cloud/static-roles/new",
      body: { username: "nobody", rotation_period: "24h" },
      outcome: refused(/500 unable to validate username "nobody": NoSuchEntity/),
    },
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
    { title: "delete", request: "DELETE cloud/static-roles/app", outcome: "ok" },
    { title: "read what was deleted", request: "GET cloud/static-roles/app", outcome: "absent" },
    { title: "read credentials that were deleted", request: "GET cloud/static-creds/app", outcome: "absent" },
    {
      title: "rotate the root key by GET",
      request: "GET cloud/config/rotate-root",
      outcome: refused(/405 unsupported operation/),
    },
    {
      title: "rotate the root key",
      request: "POST cloud/config/rotate-root",
      keep: { newKey: "/data/access_key" },
      outcome: { found: { access_key: "<newKey>" } },
    },
    {
      title: "read the configuration with the new key",
      request: "GET cloud/config/root",
      outcome: { found: { access_key: "<newKey>" } },
    },
  ],
});
