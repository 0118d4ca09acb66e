import { defineScenario, refused, step } from "../../scenario.mts";

const settings = { trim_request_trailing_slashes: true, identity_token_key: "default", plugin_version: "" };
const names = { allowed_managed_keys: ["b", "a"], delegated_auth_accessors: ["auth_x", "auth_y"] };
const lockout = { lockout_threshold: "7", lockout_duration: "600s", lockout_counter_reset_duration: "20m" };

/** What a mount's plugin, its requests and its logins are set to: enabled with it, tuned, reset. */
export const sysMountSettings = defineScenario({
  topic: "sys-mount-settings",
  servers: ["vault-1.21", "vault-1.19"],
  steps: [
    step("enable an engine with all of it", "POST sys/mounts/cloud", "ok", {
      body: { type: "aws", config: { ...settings, ...names } },
    }),
    // @covers beyond: Mounts > trim_request_trailing_slashes
    // @covers beyond: Mounts > identity_token_key
    // @covers beyond: Mounts > allowed_managed_keys
    // @covers beyond: Mounts > delegated_auth_accessors
    step("read the engine", "GET sys/mounts/cloud", {
      found: { config: { trim_request_trailing_slashes: true, identity_token_key: "default", ...names } },
    }),
    step("read the engine's tuning, which lacks the accessors", "GET sys/mounts/cloud/tune", "ok"),
    step("write to a path of it that ends in a slash", "POST cloud/roles/a/", "ok", {
      body: { credential_type: "iam_user", policy_arns: "arn:aws:iam::aws:policy/ReadOnlyAccess" },
    }),
    step("read what was written", "GET cloud/roles/a", "ok"),
    step("tune the engine back", "POST sys/mounts/cloud/tune", "ok", {
      body: {
        trim_request_trailing_slashes: false,
        identity_token_key: "",
        allowed_managed_keys: [],
        delegated_auth_accessors: [],
      },
    }),
    step("read the engine after that", "GET sys/mounts/cloud", "ok"),
    step(
      "write to a path that ends in a slash no more",
      "POST cloud/roles/a/",
      refused(/cannot write to a path ending in '\/'/),
      { body: { credential_type: "iam_user" } },
    ),
    step("enable a method with all of it, of which it takes no accessors", "POST sys/auth/jobs", "ok", {
      body: { type: "approle", config: { ...settings, ...names } },
    }),
    step("read the method", "GET sys/auth/jobs", "ok"),
    step("tune the method, which changes no names", "POST sys/auth/jobs/tune", "ok", {
      body: { allowed_managed_keys: ["c"], delegated_auth_accessors: ["auth_z"], identity_token_key: "" },
    }),
    step("read the method after that", "GET sys/auth/jobs", "ok"),
    // @covers beyond: Mounts > identity_token_key
    step("enable with a key that is not there", "POST sys/mounts/a", refused(/key "none" does not exist/), {
      body: { type: "aws", config: { identity_token_key: "none" } },
    }),
    step("tune a key that is not there", "POST sys/auth/jobs/tune", refused(/key "none" does not exist/), {
      body: { identity_token_key: "none" },
    }),
    step(
      "enable with a switch that is a text",
      "POST sys/mounts/a",
      refused(/unable to convert given mount config information/),
      { body: { type: "aws", config: { trim_request_trailing_slashes: "true" } } },
    ),
    // @covers beyond: Mounts > plugin_version
    step(
      "enable with a version of a built-in plugin that is not its own",
      "POST sys/mounts/a",
      refused(/cannot select non-builtin version of secrets plugin aws/),
      { body: { type: "aws", config: { plugin_version: "v9.9.9" } } },
    ),
    step(
      "enable with a version that is none",
      "POST sys/auth/a",
      refused(/version "newest" is not a valid semantic version/),
      { body: { type: "jwt", config: { plugin_version: "newest" } } },
    ),
    step(
      "tune a version that is not in the catalog",
      "POST sys/auth/jobs/tune",
      refused(/plugin not found in the catalog: approle, version=v9\.9\.9/),
      { body: { plugin_version: "9.9.9" } },
    ),
    // @covers beyond: Mounts > plugin_version
    step(
      "tune the version back, which cannot be",
      "POST sys/auth/jobs/tune",
      refused(/version "" is not a valid semantic version/),
      { body: { plugin_version: "" } },
    ),
    // @covers beyond: Mounts > user_lockout_config
    step("enable with a lockout, which is ignored", "POST sys/auth/locked", "ok", {
      body: { type: "approle", config: { user_lockout_config: { lockout_disable: true } } },
    }),
    step("read the method without a lockout", "GET sys/auth/locked", "ok"),
    step(
      "enable with a lockout in texts",
      "POST sys/auth/a",
      refused(/unable to convert given auth config information/),
      { body: { type: "approle", config: { user_lockout_config: lockout } } },
    ),
    step("tune a lockout", "POST sys/auth/locked/tune", "ok", { body: { user_lockout_config: lockout } }),
    // @covers beyond: Mounts > user_lockout_config
    step("read the lockout, in other words", "GET sys/auth/locked", {
      found: {
        config: {
          user_lockout_config: {
            user_lockout_threshold: 7,
            user_lockout_duration: 600,
            user_lockout_counter_reset_duration: 1200,
            user_lockout_disable: false,
          },
        },
      },
    }),
    step("read the tuning with the lockout", "GET sys/auth/locked/tune", "ok"),
    step("tune one setting of the lockout, by a number", "POST sys/auth/locked/tune", "ok", {
      body: { user_lockout_config: { lockout_threshold: 9, lockout_duration: 60, lockout_disable: true } },
    }),
    step("read the lockout with another setting", "GET sys/auth/locked", "ok"),
    step("tune the lockout back, which leaves zeros", "POST sys/auth/locked/tune", "ok", {
      body: {
        user_lockout_config: {
          lockout_threshold: "0",
          lockout_duration: "0s",
          lockout_counter_reset_duration: "system",
          lockout_disable: false,
        },
      },
    }),
    step("read the lockout that is none", "GET sys/auth/locked", "ok"),
    step("tune an empty lockout", "POST sys/auth/locked/tune", "ok", { body: { user_lockout_config: {} } }),
    step(
      "tune the lockout of a type that has none",
      "POST sys/mounts/cloud/tune",
      refused(/tuning of user lockout configuration for auth type "aws" not allowed/),
      { body: { user_lockout_config: { lockout_disable: true } } },
    ),
    step(
      "tune a threshold that is no number",
      "POST sys/auth/locked/tune",
      refused(/unable to parse user lockout threshold/),
      { body: { user_lockout_config: { lockout_threshold: "many" } } },
    ),
    step("tune a duration that is none", "POST sys/auth/locked/tune", refused(/invalid duration/), {
      body: { user_lockout_config: { lockout_duration: "long" } },
    }),
    step(
      "tune a switch that is a text",
      "POST sys/auth/locked/tune",
      refused(/unable to convert given user lockout config information/),
      { body: { user_lockout_config: { lockout_disable: "true" } } },
    ),
  ],
});
