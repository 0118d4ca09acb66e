import { defineScenario, refused, step } from "../../scenario.mts";
import { cloudRoot as root } from "./cloud-root.mts";

/** What the cloud engine does at the cloud: static roles, and a new root key. */
export const cloudRotation = defineScenario({
  topic: "cloud-rotation",
  cloudUsers: ["app", "other"],
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [
    // @covers cloud: Endpoints > POST {mount}/config/rotate-root
    step(
      "rotate the root key before there is one",
      "POST cloud/config/rotate-root",
      refused(/500 no configuration found for config\/root/),
    ),
    step("configure without a key", "POST cloud/config/root", "ok", { body: { region: "us-east-1" } }),
    step(
      "rotate a root key that is not there",
      "POST cloud/config/rotate-root",
      refused(
        /^400 Cannot call config\/rotate-root when either .*Give the root configuration an access key and secret key first|^500 number of regions does not match/,
      ),
    ),
    step("configure", "POST cloud/config/root", "ok", { body: root }),
    // @covers cloud: Endpoints > GET {mount}/static-roles/{name}
    step("read a static role that is not there", "GET cloud/static-roles/app", "absent"),
    // @covers cloud: Endpoints > GET {mount}/static-creds/{name}
    step("read credentials that are not there", "GET cloud/static-creds/app", "absent"),
    // @covers cloud: Endpoints > DELETE {mount}/static-roles/{name}
    step("delete a static role that is not there", "DELETE cloud/static-roles/app", "ok"),
    // @covers beyond: Endpoints > GET {mount}/static-roles?list=true
    step("list no static roles", "GET cloud/static-roles?list=true", "absent", { servers: ["vault-1.21"] }),
    step(
      "list static roles where that is unknown",
      "GET cloud/static-roles?list=true",
      refused(/404 unsupported path .*that the server is new enough for this/),
      { servers: ["vault-1.19"] },
    ),
    // @covers cloud: What the service does > static roles adopt a user
    // @covers cloud: Static role > stored record
    // @covers cloud: Endpoints > POST {mount}/static-roles/{name}
    step("create", "POST cloud/static-roles/app", "ok", {
      body: { username: "app", rotation_period: "24h" },
      keep: { appId: "/data/id" },
    }),
    // @covers cloud: Static role > stored record
    // @covers cloud: Endpoints > GET {mount}/static-roles/{name}
    // @covers beyond: cloud.StaticRole > assume_role_arn
    // @covers beyond: cloud.StaticRole > assume_role_session_name
    // @covers beyond: cloud.StaticRole > external_id
    step("read", "GET cloud/static-roles/app", { found: { username: "app", rotation_period: 86_400, id: "<appId>" } }),
    // @covers cloud: Endpoints > GET {mount}/static-creds/{name}
    // @covers beyond: Answer with credentials > access_key
    // @covers beyond: Answer with credentials > expiration
    step("read the credentials", "GET cloud/static-creds/app", "ok"),
    // @covers beyond: Endpoints > GET {mount}/static-roles?list=true
    step("list", "GET cloud/static-roles?list=true", "ok", { servers: ["vault-1.21"] }),
    // @covers cloud: Rotation of static roles > 3: another period
    step("change the period", "POST cloud/static-roles/app", "ok", { body: { rotation_period: 86_400 } }),
    // @covers cloud: Endpoints > POST {mount}/static-roles/{name}
    step("change nothing", "POST cloud/static-roles/app", "ok", { body: {} }),
    // @covers cloud: Endpoints > POST {mount}/static-roles/{name}
    step("create with unknown members", "POST cloud/static-roles/odd", "ok", {
      body: { username: "other", rotation_period: 60, nonsense: 1 },
      keep: { otherId: "/data/id" },
    }),
    // @covers cloud: Static role > username
    step("refuse no user", "POST cloud/static-roles/new", refused(/400 missing "username" parameter/), {
      body: { rotation_period: "24h" },
    }),
    // @covers cloud: Static role > rotation_period
    step("refuse no period", "POST cloud/static-roles/new", refused(/400 missing "rotation_period" parameter/), {
      body: { username: "app" },
    }),
    // @covers cloud: Static role > rotation_period
    // @covers cloud: Limits > rotation_period of a minute
    step(
      "refuse a period under a minute",
      "POST cloud/static-roles/new",
      refused(/500 role rotation period out of range/),
      { body: { username: "app", rotation_period: 59 } },
    ),
    step(
      "refuse a period that is none",
      "POST cloud/static-roles/new",
      refused(/400 Field validation failed: error converting input .*for field "rotation_period"/),
      { body: { username: "app", rotation_period: "abc" } },
    ),
    // @covers cloud: Static role > username
    step(
      "refuse an unknown user",
      "POST cloud/static-roles/new",
      refused(/500 unable to validate username "nobody": NoSuchEntity/),
      { body: { username: "nobody", rotation_period: "24h" } },
    ),
    // @covers cloud: Static role > username
    step("refuse another user", "POST cloud/static-roles/app", refused(/500 /), { body: { username: "other" } }),
    step("write the credentials", "POST cloud/static-creds/app", refused(/405 unsupported operation/), { body: {} }),
    step("list the credentials", "GET cloud/static-creds?list=true", refused(/404 unsupported path/)),
    // @covers cloud: Endpoints > DELETE {mount}/static-roles/{name}
    step("delete", "DELETE cloud/static-roles/app", "ok"),
    step("read what was deleted", "GET cloud/static-roles/app", "absent"),
    step("read credentials that were deleted", "GET cloud/static-creds/app", "absent"),
    step("rotate the root key by GET", "GET cloud/config/rotate-root", refused(/405 unsupported operation/)),
    // @covers cloud: Endpoints > POST {mount}/config/rotate-root
    step(
      "rotate the root key",
      "POST cloud/config/rotate-root",
      { found: { access_key: "<newKey>" } },
      { keep: { newKey: "/data/access_key" } },
    ),
    // @covers beyond: cloud.RootConfig > access_key
    step("read the configuration with the new key", "GET cloud/config/root", { found: { access_key: "<newKey>" } }),
  ],
});
